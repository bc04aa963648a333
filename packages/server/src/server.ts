import {
  APPS,
  type App,
  listener,
  type OpenApiDocument,
  printOpenApi,
  SITE_CONFIG_PATH,
  type SiteConfig,
  VERSION,
} from '@binnacle/contract'
import { standardInstruments } from '@binnacle/engine'
import { DamagedSwapNote, finishSwaps } from '@binnacle/stores'
import type { FastifyInstance } from 'fastify'
import { openAdminServices } from '#admin/admin-services.ts'
import { type AdminAppOptions, addAdminApp } from '#admin/app.ts'
import { type Config, describeConfig, type ListenerName, parseConfig } from '#config/config.ts'
import { endWithSentence, StartRefusal } from '#config/start-refusal.ts'
import { addDatabaseApp, type DatabaseAppOptions } from '#databases/app.ts'
import { swapsIn } from '#databases/backups/vault.ts'
import { openDatabaseService } from '#databases/database-service.ts'
import { createMaintenance } from '#databases/maintenance/maintenance.ts'
import { type MaintenanceServices, openMaintenanceServices } from '#databases/maintenance-services.ts'
import { createHttpApp, type HttpAppOptions } from '#http/app.ts'
import { closeOnSignal, type Stoppable } from '#http/close-on-signal.ts'
import { dispatchByEngine } from '#http/engine-dispatch.ts'
import { openListeners } from '#http/listeners.ts'
import { logUncaught, openLog } from '#http/log.ts'
import { mount } from '#http/mount.ts'
import { createOwnAddresses } from '#http/own-addresses.ts'
import { Refused } from '#http/problems.ts'
import { createRequestLimit } from '#http/request-limit.ts'
import { checkSiteExists } from '#http/site.ts'
import { refuseSwitchedOff } from '#http/switches.ts'
import { openAlerts } from '#services/alerts/alerts.ts'
import { createServerFigures } from '#services/alerts/server-figures.ts'
import { anchorOpener, scheduleAnchor } from '#services/audit/audit-anchor.ts'
import { closeInOrder } from '#services/close-stack.ts'
import { failureLine } from '#services/jobs/job-runner.ts'
import { createMemoryReader } from '#services/memory.ts'
import type { SettingsStore } from '#storage/admin/settings-store.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { faultOfLoss } from '#storage/audit/losses.ts'
import { type DataFolder, openDataFolder } from '#storage/data-folder.ts'
import { diskRefusal } from '#storage/disk-space.ts'
import { checkOwnStores, ownStoresIn } from '#storage/own-store-check.ts'
import { restrictModes } from '#storage/private-modes.ts'
import { createDeskFigures } from '#trading/alert-figures.ts'
import { addTradingApp, capabilitiesOf, type TradingAppOptions } from '#trading/app.ts'
import { createBacktestsByEngine } from '#trading/backtests/backtests-by-engine.ts'
import { readRecordedMinutes } from '#trading/catalog/recorded-minutes.ts'
import { openDataSets } from '#trading/data-sets/data-sets.ts'
import { EngineDirectory } from '#trading/engines/engine-directory.ts'
import {
  type EngineUnit,
  type OpenEngine,
  openEngineUnit,
  serveOrClose,
} from '#trading/engines/engine-unit.ts'
import {
  createEngineOpener,
  type EngineOpener,
  isAwaited,
  openInTurn,
} from '#trading/engines/open-engines.ts'
import { endPreparedThread, preparedThread } from '#trading/runtime/engine-thread.ts'

export interface RunningServer extends Stoppable {
  ports: Record<ListenerName, number>
}

/** A node that does not answer by then is shown as unreachable and tried again. */
const REACH_MS = 5_000

/** Starts the server on its data folder. */
export async function startServer(config: Config): Promise<RunningServer> {
  if (config.siteFolder !== undefined) await checkSiteExists(config.siteFolder)
  const folder = await openDataFolder(config.dataFolder)
  return recoverAndServe(folder, config).catch(async (reason) => {
    folder.release()
    // A disk that fills up during the start fails in many ways.
    throw (await diskRefusal(config.dataFolder)) ?? reason
  })
}

/** Completes an interrupted restore of our own stores before any of them is opened. */
async function recoverAndServe(folder: DataFolder, config: Config): Promise<RunningServer> {
  await finishSwaps(swapsIn(folder.at('backups'))).catch((fault: unknown) => {
    throw fault instanceof DamagedSwapNote ? new StartRefusal(fault.message) : fault
  })
  folder.checkStores()
  return serve(folder, config)
}

/** Opens what the server consists of, in the order of dependence, and listens last. */
async function serve(folder: DataFolder, config: Config): Promise<RunningServer> {
  const base = await openBase(folder, config)
  const { store, log, onFault } = base
  const openEngine = await createEngineOpener({ root: folder, store, logger: log.logger, onFault, config })
  const [first, ...others] = await openInTurn(config.engines.filter(isAwaited), openEngine)
  await endPreparedThread()
  const services = await openServices(base, first, [first, ...others])
  const engines = await openApps(base, services, first)
  for (const opened of others) await engines.add(opened)
  const listeners = await openListeners(
    engines.apps,
    config,
    dispatchByEngine((named) => engines.directory.appOf(named)),
  )
  services.ownAddresses.listenOn(listeners.ports)
  await services.admin.scheduler.start()
  engines.directory.start()
  const stopping = new AbortController()
  const reaching = reachNodes(config, engines, openEngine, stopping.signal)
  log.logger.info({ event: 'server.started', ports: listeners.ports, settings: describeConfig(config) })
  return {
    ports: listeners.ports,
    async close(graceMs) {
      stopping.abort()
      await closeInOrder(graceMs, [
        (leftMs) => listeners.close(leftMs),
        () => reaching,
        () => {
          for (const each of engines.directory.units()) each.stop()
        },
        (leftMs) => services.close(leftMs),
        () => engines.directory.closeApps(),
        (leftMs) => closeAll(engines.directory.units(), leftMs),
        () => base.close(),
      ])
    },
  }
}

/** Waits for all of them before a fault of one is thrown. */
async function closeAll(units: readonly EngineUnit[], graceMs: number): Promise<void> {
  const outcomes = await Promise.allSettled(units.map((each) => each.close(graceMs)))
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (faults.length > 0) throw faults[0]
}

/** The data folder with the log and the admin store, which everything else uses. */
type ServerBase = Awaited<ReturnType<typeof openBase>>

async function openBase(folder: DataFolder, config: Config) {
  const memory = createMemoryReader(preparedThread())
  const log = await openLog(folder.at('logs', 'server.log'), config.logLevel)
  const stopLoggingUncaught = logUncaught(log.logger)
  const corrected = await restrictModes(folder.at())
  if (corrected > 0) {
    const message = `${corrected} files and folders in ${folder.at()} were readable by others; corrected to owner only`
    log.logger.warn({ event: 'data.modes', message })
  }
  const store = await openAdminStore(folder.at('admin.sqlite'))
  for (const loss of await store.audit.openLosses()) {
    log.logger.error({ event: 'audit.lost', message: faultOfLoss(loss).detail })
  }
  return {
    folder,
    config,
    memory,
    log,
    store,
    onFault: (fault: unknown) => log.logger.error({ event: 'fault', err: fault }),
    close: () =>
      closeInOrder(0, [
        () => store.close(),
        () => log.logger.info({ event: 'server.stopped' }),
        stopLoggingUncaught,
        () => log.close(),
        () => memory.close(),
        () => folder.release(),
      ]),
  }
}

/** What the engines and the three APIs share. */
type ServerServices = Awaited<ReturnType<typeof openServices>>

async function openServices(base: ServerBase, first: OpenEngine, engines: readonly OpenEngine[]) {
  const { folder, config, store, log, onFault } = base
  const ownAddresses = createOwnAddresses(config)
  const database = openDatabaseService({
    store,
    dataFolder: folder.at(),
    databaseFolders: config.databaseFolders,
    databaseHosts: config.databaseHosts,
  })
  const maintenanceServices = await openMaintenanceServices({
    folder: folder.at('backups'),
    store,
    database,
    ...config,
    note: (event, message) => log.logger.warn({ event, message }),
  })
  const serverFigures = createServerFigures(folder.at())
  const admin = openAdminServices({
    store,
    urlOf: ownAddresses.urlOf,
    outboundHosts: config.outboundHosts,
    onFault,
    onJobFailure: (job) => {
      log.logger.error(failureLine(job))
      serverFigures.addFailure(job)
    },
    // Jobs restore, clean and import.
    onJobEnd: () => database.cache.clear(),
    storeBackups: maintenanceServices.storeBackups,
    ...(config.auditAnchor && {
      openAnchor: anchorOpener({ ...config.auditAnchor, dataFolder: folder.at(), audit: store.audit }),
    }),
    checkOwnStores: async () => checkOwnStores(await ownStoresIn(folder.at())),
  })
  const alerts = await openAlerts({
    store: store.alerts,
    sources: [figuresOf(first, config), serverFigures],
    outbound: admin.outbound,
    sender: admin.channels,
    samples: first.samples,
    bars: (instrument, period) => readRecordedMinutes(first.engine.history.market, instrument, period),
    onFault,
  })
  if (config.auditAnchor !== undefined) await scheduleAnchor(store.tasks)
  const dataSets = await openDataSets({
    folder: folder.at('data-sets'),
    instruments: standardInstruments(),
    jobs: admin.jobs,
    uploadLimitBytes: config.uploadLimitMib * 1024 * 1024,
    warn: (event, message) => log.logger.warn({ event, message }),
  })
  const workQueue = await openQueue(folder, config, onFault)
  const embedded = engines.find(({ config: { kind } }) => kind === 'embedded') ?? first
  const backtests = createBacktestsByEngine(embedded.engine.history.recorded, {
    workQueue,
    dataSets,
    store: store.backtests,
    sweepsStore: store.sweeps,
    modulesStore: store.modules,
    strategiesFolder: folder.at('strategies'),
    onFault,
  })
  return {
    ownAddresses,
    database,
    maintenanceServices,
    admin,
    alerts,
    dataSets,
    backtests,
    close: (graceMs: number) =>
      closeInOrder(graceMs, [
        (leftMs) => alerts.close(leftMs),
        () => serverFigures.close(),
        (leftMs) => admin.close(leftMs),
        () => backtests.close(),
        () => workQueue?.close(),
        () => database.close(),
        () => dataSets.close(),
      ]),
  }
}

/** The figures of an engine that alerts watch; with several engines they name it. */
function figuresOf({ engine, config: { name }, folder: { isNamed } }: OpenEngine, { engines }: Config) {
  return createDeskFigures(engine.desk, Date.now, engines.length > 1 ? { name, isNamed } : undefined)
}

/** The apps of the listeners, and the engines that they serve. */
interface ServedEngines {
  readonly apps: Apps
  readonly directory: EngineDirectory
  /** Serves a further engine. */
  add(opened: OpenEngine): Promise<EngineUnit>
}

async function openApps(
  base: ServerBase,
  services: ServerServices,
  first: OpenEngine,
): Promise<ServedEngines> {
  const { folder, config, memory, log, store, onFault } = base
  const { admin, database, maintenanceServices, dataSets, alerts, backtests } = services
  const directory = new EngineDirectory(config.engines, (event, message) =>
    log.logger.warn({ event, message }),
  )
  const openUnit = (opened: OpenEngine) =>
    openEngineUnit({
      opened,
      dataFolder: folder.at(),
      jobs: admin.jobs,
      backtests: backtests.of(opened.engine),
      onFault,
    })
  const unit = await openUnit(first)
  directory.add(unit)
  const shared = { dataSets, alerts, memory, logs: log.tail, engines: () => directory.list() }
  const apps = createApps({
    logger: log.logger,
    siteFolder: config.siteFolder,
    ...admin,
    database,
    maintenanceServices,
    ...shared,
    ...unit.served,
    waitForAudit: () => directory.waitForAudit(),
    monitoring: {
      metrics: unit.served.metrics,
      logs: log.tail,
      logFolder: folder.at('logs'),
      report: {
        samples: unit.samples,
        tradingDay: (fromMs, toMs) => first.engine.trades.day({ from: fromMs, to: toMs }),
        describe: () => describeSystem(store.settings),
      },
      bundle: { store, configuration: describeConfig(config), logFolder: folder.at('logs') },
    },
  })
  return {
    apps,
    directory,
    async add(opened) {
      return serveOrClose(opened, openUnit, async (further) => {
        const app = apps.createEngineApp({ ...shared, ...further.served, jobs: admin.jobs })
        await app.ready()
        alerts.addSource(figuresOf(opened, config))
        directory.add(further, app)
      })
    },
  }
}

/** Tries the nodes that the start did not wait for until each is reached or the signal aborts. */
async function reachNodes(
  { engines: configs }: Config,
  engines: ServedEngines,
  openEngine: EngineOpener,
  signal: AbortSignal,
): Promise<void> {
  const nodes = configs.filter((engine, index) => !isAwaited(engine, index))
  await Promise.all(
    nodes.map((engine) =>
      engines.directory.reach(engine.name, signal, async () => {
        const wait = engine.node === undefined ? { signal } : { startMs: REACH_MS, signal }
        const unit = await engines.add(await openEngine(engine, wait))
        unit.engine.start()
      }),
    ),
  )
}

export interface Apps extends Record<ListenerName, FastifyInstance> {
  /** The trading API of a further engine. */
  createEngineApp(options: Omit<TradingAppOptions, 'maintenance' | 'cache'>): FastifyInstance
}

type AppsOptions = Pick<HttpAppOptions, 'logger'> &
  AdminAppOptions &
  DatabaseAppOptions &
  Omit<TradingAppOptions, 'maintenance'> & {
    maintenanceServices: MaintenanceServices
    siteFolder?: string | undefined
  }

/** One app per listener. The trading listener serves all three APIs, so that its site has one origin (0005). */
export function createApps({ logger, siteFolder, ...options }: AppsOptions): Apps {
  const { settings } = options.store
  const requestLimit = createRequestLimit(() => Number(settings.effectiveValue('max_concurrent_requests')))
  const createListenerApp = (
    apis: readonly App[],
    httpOptions: Partial<HttpAppOptions> = {},
    { metrics, desk }: Pick<TradingAppOptions, 'metrics' | 'desk'> = options,
  ) => {
    const app = createHttpApp({ logger, ...httpOptions })
    let document: OpenApiDocument | undefined
    metrics?.requests.follow(app)
    refuseSwitchedOff(app, options.store.switches.isOff)
    requestLimit.apply(app)
    mount(app, listener.health, () => ({ status: 'ok', version: VERSION }))
    mount(app, listener.ready, () => checkReady({ desk, store: options.store }))
    mount(app, listener.openapi, () => {
      document ??= printOpenApi(apis)
      return document
    })
    return app
  }

  const maintenance = createMaintenance({ ...options.maintenanceServices, jobs: options.jobs })
  const pageData = { config: ONE_ORIGIN, capabilities: capabilitiesOf({ ...options, maintenance }) }
  const hasSeveralEngines = (options.engines?.().length ?? 1) > 1
  const site = siteFolder === undefined ? undefined : { folder: siteFolder, pageData, hasSeveralEngines }
  const trading = createListenerApp(APPS, { site })
  addTradingApp(trading, { ...options, maintenance, cache: options.database.cache })
  addAdminApp(trading, options)
  addDatabaseApp(trading, options)
  trading.get(SITE_CONFIG_PATH, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(ONE_ORIGIN),
  )

  const createAdminApp = () => {
    const app = createListenerApp(['admin'])
    addAdminApp(app, options)
    return app
  }
  const createDatabaseApp = () => {
    const app = createListenerApp(['database'])
    addDatabaseApp(app, options)
    return app
  }
  let admin: FastifyInstance | undefined
  let database: FastifyInstance | undefined
  return {
    trading,
    get admin() {
      admin ??= createAdminApp()
      return admin
    },
    get database() {
      database ??= createDatabaseApp()
      return database
    },
    createEngineApp(own) {
      const app = createListenerApp(['trading'], {}, own)
      addTradingApp(app, { ...own, maintenance })
      return app
    },
  }
}

/** Whether the engine accepts commands and the admin store answers. */
async function checkReady({ desk, store }: Pick<AppsOptions, 'desk' | 'store'>) {
  const missing = []
  const obstacle = desk.views.haltReason ?? desk.views.engine().identity?.readOnlyBecause
  if (obstacle) missing.push(`The engine does not accept commands: ${obstacle}`)
  await store.settings.list().catch(() => missing.push('The admin store cannot be read.'))
  return missing.length === 0 ? { status: 'ready' } : new Refused('server.not-ready', missing.join(' '))
}

/** Loaded only where it is configured: most servers run their backtests themselves. */
async function openQueue(
  folder: DataFolder,
  { workQueueUrl: url }: Config,
  onFault: (fault: unknown) => void,
) {
  if (url === undefined) return undefined
  const { openWorkKey } = await import('#trading/backtests/remote/work-key.ts')
  const { openWorkQueue } = await import('#trading/backtests/remote/work-queue.ts')
  const key = openWorkKey(folder.at('work-key.pem'), folder.at('work-key.pub'))
  return openWorkQueue({ url, key, onFault })
}

function describeSystem(settings: SettingsStore) {
  return {
    systemName: settings.effectiveValue('system_name'),
    environment: settings.effectiveValue('environment'),
  }
}

const ONE_ORIGIN: SiteConfig = { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' }

/** Runs the server of the environment until a signal ends it. */
export async function runFromEnvironment(env: NodeJS.ProcessEnv): Promise<void> {
  closeOnSignal(await startFromEnvironment(env).catch(endWithSentence))
}

async function startFromEnvironment(env: NodeJS.ProcessEnv): Promise<RunningServer> {
  process.umask(0o077)
  const config = parseConfig(env)
  const server = await startServer(config)
  const settings = Object.entries(describeConfig(config)).map(([variable, value]) => `${variable}=${value}`)
  process.stdout.write(`Settings: ${settings.join(' ')}\n`)
  process.stdout.write(`Binnacle is at http://localhost:${server.ports.trading}\n`)
  return server
}

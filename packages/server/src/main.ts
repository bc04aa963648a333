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
import { finishSwaps } from '@binnacle/stores'
import type { FastifyInstance } from 'fastify'
import { openAdminServices } from '#admin/admin-services.ts'
import { type AdminNeeds, addAdminApp } from '#admin/app.ts'
import { addDatabaseApp, type DatabaseNeeds } from '#databases/app.ts'
import { swapsIn } from '#databases/backups/vault.ts'
import { openDatabaseService } from '#databases/database-service.ts'
import { createMaintenance } from '#databases/maintenance/maintenance.ts'
import { type MaintenanceServices, openMaintenanceServices } from '#databases/maintenance-services.ts'
import { createHttpApp, type HttpAppOptions } from '#http/app.ts'
import { closeOnSignal, type Stoppable } from '#http/close-on-signal.ts'
import { openListeners } from '#http/listeners.ts'
import { openLog } from '#http/log.ts'
import { mount } from '#http/mount.ts'
import { createOwnAddresses } from '#http/own-addresses.ts'
import { Refused } from '#http/problems.ts'
import { createRequestLimit } from '#http/request-limit.ts'
import { checkSiteExists } from '#http/site.ts'
import { refuseSwitchedOff } from '#http/switches.ts'
import { openAlerts } from '#services/alerts/alerts.ts'
import { createServerFigures } from '#services/alerts/server-figures.ts'
import { anchorOpener, scheduleAnchor } from '#services/audit/audit-anchor.ts'
import { failureLine } from '#services/jobs/job-runner.ts'
import { createMemoryReader } from '#services/memory.ts'
import { openMetrics } from '#services/metrics/metrics.ts'
import { startSampler } from '#services/samples/sampler.ts'
import type { SettingsStore } from '#storage/admin/settings-store.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { type DataFolder, openDataFolder } from '#storage/data-folder.ts'
import { diskRefusal } from '#storage/disk-space.ts'
import { checkOwnStores, ownStoresIn } from '#storage/own-store-check.ts'
import { restrictModes } from '#storage/private-modes.ts'
import { openSamples } from '#storage/samples/samples.ts'
import { endWithSentence } from '#storage/start-refusal.ts'
import { createAdapterSamples } from '#trading/adapters/adapter-samples.ts'
import { openAdapters } from '#trading/adapters/adapters.ts'
import { createDeskFigures } from '#trading/alert-figures.ts'
import { addTradingApp, capabilitiesOf, type TradingNeeds } from '#trading/app.ts'
import { openBacktests } from '#trading/backtests/backtests.ts'
import { readRecordedMinutes } from '#trading/catalog/recorded-minutes.ts'
import { openDataSets } from '#trading/data-sets/data-sets.ts'
import { createDeskMetrics } from '#trading/desk-metrics.ts'
import { createDeskSamples } from '#trading/desk-samples.ts'
import {
  openEmbeddedEngine,
  type TradingEngine,
  type TradingEngineNeeds,
} from '#trading/engines/embedded-engine.ts'
import { openMarketData } from '#trading/market/market-data.ts'
import { openPerformance } from '#trading/performance/performance.ts'
import { readTradingDay } from '#trading/trading-day.ts'
import { type Config, describeConfig, type ListenerName, parseConfig } from './config.ts'

export interface RunningServer extends Stoppable {
  ports: Record<ListenerName, number>
}

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
  await finishSwaps(swapsIn(folder.at('backups')))
  folder.checkStores()
  return serve(folder, config)
}

async function serve(folder: DataFolder, config: Config): Promise<RunningServer> {
  const memory = createMemoryReader()
  const log = await openLog(folder.at('logs', 'server.log'), config.logLevel)
  const corrected = await restrictModes(folder.at())
  if (corrected > 0) {
    const message = `${corrected} files and folders in ${folder.at()} were readable by others; corrected to owner only`
    log.logger.warn({ event: 'data.modes', message })
  }
  const store = await openAdminStore(folder.at('admin.sqlite'))
  if (store.audit.lost !== undefined) {
    const message = `The audit log has lost record ${store.audit.lost.seq}: changes of the admin store are gone. Restore admin.sqlite from a backup`
    log.logger.error({ event: 'audit.lost', message })
  }
  const samples = await openSamples(folder.at('samples.sqlite'), (message) =>
    log.logger.warn({ event: 'samples.damaged', message }),
  )
  const onFault = (fault: unknown) => log.logger.error({ event: 'fault', err: fault })
  const engine = await openEngine({ ...config, folder, store, logger: log.logger, onFault }, config)
  const { desk, history } = engine
  const own = createOwnAddresses(config)
  const streamTraffic = { frames: 0, clients: 0 }
  const deskMetrics = createDeskMetrics(desk, streamTraffic)
  const metrics = openMetrics({ dataFolder: folder.at(), samples, ...deskMetrics })
  const sources = [
    createDeskSamples(desk, samples.atStart),
    metrics.source,
    createAdapterSamples(engine.links),
  ]
  const sampler = startSampler({ samples, sources, onFault })
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
  const adminServices = openAdminServices({
    store,
    urlOf: own.urlOf,
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
    sources: [createDeskFigures(desk), serverFigures],
    outbound: adminServices.outbound,
    sender: adminServices.channels,
    samples,
    bars: (instrument, period) => readRecordedMinutes(history.market, instrument, period),
    onFault,
  })
  const adapters = openAdapters({
    desk,
    links: engine.links,
    ...(engine.venues && { venues: engine.venues }),
    store: store.adapters,
    jobs: adminServices.jobs,
  })
  if (config.auditAnchor !== undefined) await scheduleAnchor(store.tasks)
  const dataSets = await openDataSets({
    folder: folder.at('data-sets'),
    instruments: standardInstruments(),
    jobs: adminServices.jobs,
    uploadLimitBytes: config.uploadLimitMib * 1024 * 1024,
  })
  const workQueue = await openQueue(folder, config, onFault)
  const backtests = openBacktests({
    workQueue,
    dataSets,
    store: store.backtests,
    sweepsStore: store.sweeps,
    modulesStore: store.modules,
    recorded: history.recorded,
    strategiesFolder: folder.at('strategies'),
    onFault,
  })
  const market = openMarketData({
    desk,
    instruments: engine.instruments,
    record: history.market,
    secondsFolder: engine.secondsFolder,
    onFault,
  })
  const performance = openPerformance({ desk, samples, reader: engine.trades, market, backtests })
  const apps = createApps({
    logger: log.logger,
    siteFolder: config.siteFolder,
    market,
    dataSets,
    ...adminServices,
    database,
    maintenanceServices,
    // Their runs are the embedded engine's, over its instruments.
    backtests: engine.ordersFile === undefined ? undefined : backtests,
    performance,
    adapters,
    alerts,
    ...(engine.historyCheck && { historyCheck: engine.historyCheck }),
    memory,
    samples,
    metrics,
    logs: log.tail,
    streamTraffic,
    monitoring: {
      metrics,
      logs: log.tail,
      logFolder: folder.at('logs'),
      report: {
        samples,
        tradingDay: (fromMs, toMs) => readTradingDay(desk, fromMs, toMs),
        describe: () => describeSystem(store.settings),
      },
      bundle: { store, configuration: describeConfig(config), logFolder: folder.at('logs') },
    },
    desk,
    componentAudit: store.audit,
    settleAudit: () => engine.settleAudit(),
    historyProgress: history.progress,
    ...(engine.warmStrategy && { warmStrategy: engine.warmStrategy }),
    minStrategyNumber: (await store.audit.highestTarget('strategy', 'S-')) + 1,
    traderId: config.traderId,
  })
  const listeners = await openListeners(apps, config)
  own.listenOn(listeners.ports)
  await adminServices.scheduler.start()
  engine.start()
  log.logger.info({ event: 'server.started', ports: listeners.ports, settings: describeConfig(config) })

  return {
    ports: listeners.ports,
    async close(graceMs) {
      await listeners.close(graceMs)
      sampler.close()
      await alerts.close(graceMs)
      serverFigures.close()
      deskMetrics.close()
      metrics.close()
      await adminServices.close(graceMs)
      await performance.close()
      await backtests.close()
      await workQueue?.close()
      await database.close()
      market.close()
      dataSets.close()
      await engine.close(graceMs)
      await samples.close()
      await store.close()
      log.logger.info({ event: 'server.stopped' })
      await log.close()
      memory.close()
      folder.release()
    },
  }
}

export type Apps = Record<ListenerName, FastifyInstance>

type AppsNeeds = Pick<HttpAppOptions, 'logger'> &
  AdminNeeds &
  DatabaseNeeds &
  Omit<TradingNeeds, 'maintenance'> & {
    maintenanceServices: MaintenanceServices
    siteFolder?: string | undefined
  }

/** One app per listener. The trading listener serves all three APIs, so that its site has one origin (0005). */
export function createApps({ logger, siteFolder, ...needs }: AppsNeeds): Apps {
  const { settings } = needs.store
  const requestLimit = createRequestLimit(() => Number(settings.effective('max_concurrent_requests')))
  const createListenerApp = (apis: readonly App[], options: Partial<HttpAppOptions> = {}) => {
    const app = createHttpApp({ logger, ...options })
    let document: OpenApiDocument | undefined
    needs.metrics?.requests.follow(app)
    refuseSwitchedOff(app, needs.store.switches.isOff)
    requestLimit.apply(app)
    mount(app, listener.health, () => ({ status: 'ok', version: VERSION }))
    mount(app, listener.ready, () => checkReady(needs))
    mount(app, listener.openapi, () => {
      document ??= printOpenApi(apis)
      return document
    })
    return app
  }

  const maintenance = createMaintenance({ ...needs.maintenanceServices, jobs: needs.jobs })
  const pageData = { config: ONE_ORIGIN, capabilities: capabilitiesOf({ ...needs, maintenance }) }
  const site = siteFolder === undefined ? undefined : { folder: siteFolder, pageData }
  const trading = createListenerApp(APPS, { site })
  addTradingApp(trading, { ...needs, maintenance, cache: needs.database.cache })
  addAdminApp(trading, needs)
  addDatabaseApp(trading, needs)
  trading.get(SITE_CONFIG_PATH, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(ONE_ORIGIN),
  )

  const admin = createListenerApp(['admin'])
  addAdminApp(admin, needs)

  const database = createListenerApp(['database'])
  addDatabaseApp(database, needs)

  return { trading, admin, database }
}

/** Whether the engine accepts commands and the admin store answers. */
async function checkReady({ desk, store }: Pick<AppsNeeds, 'desk' | 'store'>) {
  const missing = []
  const { haltedBecause } = desk.rows
  if (haltedBecause !== null) missing.push(`The engine does not accept commands: ${haltedBecause}`)
  await store.settings.list().catch(() => missing.push('The admin store cannot be read.'))
  return missing.length === 0 ? { status: 'ready' } : new Refused('server.not-ready', missing.join(' '))
}

/** A NautilusTrader node is loaded only where it is configured. */
async function openEngine(needs: TradingEngineNeeds, config: Config): Promise<TradingEngine> {
  if (config.engine === 'embedded') return openEmbeddedEngine(needs)
  const { openNautilusEngine } = await import('#trading/engines/nautilus-engine.ts')
  const { traderId, nautilusPython: python, nautilusNode: elsewhere, postgresTools } = config
  return openNautilusEngine({ ...needs, traderId, python, elsewhere, path: postgresTools.path })
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
    systemName: settings.effective('system_name'),
    environment: settings.effective('environment'),
  }
}

const ONE_ORIGIN: SiteConfig = { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' }

async function startFromEnvironment(): Promise<RunningServer> {
  process.umask(0o077)
  const config = parseConfig(process.env)
  const server = await startServer(config)
  const settings = Object.entries(describeConfig(config)).map(([variable, value]) => `${variable}=${value}`)
  process.stdout.write(`Settings: ${settings.join(' ')}\n`)
  process.stdout.write(`Binnacle is at http://localhost:${server.ports.trading}\n`)
  return server
}

if (import.meta.main) closeOnSignal(await startFromEnvironment().catch(endWithSentence))

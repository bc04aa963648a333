import { createApps } from '#apps.ts'
import { openBackOffice } from '#back-office.ts'
import { openBacktests } from '#backtests/backtests.ts'
import { settleSwaps } from '#backups/swaps.ts'
import { swapsIn } from '#backups/vault.ts'
import { closeOnSignal, type Stoppable } from '#close-on-signal.ts'
import { type Config, describeConfig, type ListenerName, parseConfig } from '#config.ts'
import { openDatabaseService } from '#database/database-service.ts'
import { openListeners } from '#http/listeners.ts'
import { openLog } from '#http/log.ts'
import { refuseMissingSite } from '#http/site.ts'
import { openMarketHistory } from '#market-history.ts'
import { createOwnAddresses } from '#own-addresses.ts'
import { startAuditProjection } from '#runtime/audit-projection.ts'
import { openDesk } from '#runtime/open-desk.ts'
import { endWithSentence } from '#start-refusal.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { type DataFolder, openDataFolder } from '#storage/data-folder.ts'
import { openUpkeep } from '#upkeep.ts'
import { createWarmStrategies } from '#warm-strategies.ts'

export interface RunningServer extends Stoppable {
  ports: Record<ListenerName, number>
}

/** The whole server, from its configuration to its close. */
export async function startServer(config: Config): Promise<RunningServer> {
  if (config.siteFolder !== undefined) await refuseMissingSite(config.siteFolder)
  const folder = await openDataFolder(config.dataFolder)
  return settled(folder, config).catch((reason) => {
    folder.release()
    throw reason
  })
}

/** A restore of our own stores that was cut short is ended before any of them is opened. */
async function settled(folder: DataFolder, config: Config): Promise<RunningServer> {
  await settleSwaps(swapsIn(folder.at('backups')))
  return serve(folder, config)
}

async function serve(folder: DataFolder, config: Config): Promise<RunningServer> {
  const log = await openLog(folder.at('logs', 'server.log'), config.logLevel)
  const store = await openAdminStore(folder.at('admin.sqlite'))
  const history = await openMarketHistory({ folder, days: config.historyDays, logger: log.logger })
  const desk = await openDesk(folder, log.logger, history.daily)
  const strategies = createWarmStrategies({ desk, history, logger: log.logger })
  await strategies.all()
  const own = createOwnAddresses(config)
  const onFault = (fault: unknown) => log.logger.error({ event: 'fault', err: fault })
  const auditing = startAuditProjection({ desk, audit: store.audit, onFault })
  const database = openDatabaseService({
    store,
    dataFolder: folder.at(),
    databaseFolders: config.databaseFolders,
  })
  const upkeep = await openUpkeep({
    folder: folder.at('backups'),
    store,
    database,
    ...config,
    note: (event, message) => log.logger.warn({ event, message }),
  })
  const office = openBackOffice({
    store,
    urlOf: own.urlOf,
    outboundHosts: config.outboundHosts,
    onFault,
    upkeep,
  })
  const backtests = openBacktests({
    store: store.backtests,
    recorded: history.recorded,
    strategiesFolder: folder.at('strategies'),
    onFault,
  })
  const apps = createApps({
    logger: log.logger,
    siteFolder: config.siteFolder,
    ...office,
    ...{ database, upkeep, backtests, desk },
    settleAudit: () => auditing.settled(),
    historyProgress: history.progress,
    warmStrategy: strategies.one,
    traderId: config.traderId,
  })
  const listeners = await openListeners(apps, config)
  own.listenOn(listeners.ports)
  await office.scheduler.start()
  history.start(desk)
  log.logger.info({ event: 'server.started', ports: listeners.ports, settings: describeConfig(config) })

  return {
    ports: listeners.ports,
    async close(graceMs) {
      await listeners.close(graceMs)
      await office.close(graceMs)
      await backtests.close()
      await database.close()
      await history.close()
      await auditing.close(graceMs)
      await desk.close()
      await store.close()
      log.logger.info({ event: 'server.stopped' })
      await log.close()
      folder.release()
    },
  }
}

async function startFromEnvironment(): Promise<RunningServer> {
  const config = parseConfig(process.env)
  const server = await startServer(config)
  const settings = Object.entries(describeConfig(config)).map(([variable, value]) => `${variable}=${value}`)
  process.stdout.write(`Settings: ${settings.join(' ')}\n`)
  process.stdout.write(`Binnacle is at http://localhost:${server.ports.trading}\n`)
  return server
}

if (import.meta.main) closeOnSignal(await startFromEnvironment().catch(endWithSentence))

import type { FastifyBaseLogger } from 'fastify'
import type { EngineConfig } from '#config/engines-file.ts'
import { closeInOrder } from '#services/close-stack.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import { openMetrics } from '#services/metrics/metrics.ts'
import { startSampler } from '#services/samples/sampler.ts'
import { type AdaptersStore, adaptersOfEngine } from '#storage/admin/adapters-store.ts'
import type { EngineAudit } from '#storage/admin/audit-store.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import type { EngineFolder } from '#storage/engine-folders.ts'
import { openSamples, type Samples } from '#storage/samples/samples.ts'
import { createAdapterSamples } from '#trading/adapters/adapter-samples.ts'
import { openAdapters } from '#trading/adapters/adapters.ts'
import type { Backtests } from '#trading/backtests/backtests.ts'
import { createDeskMetrics } from '#trading/desk-metrics.ts'
import { createDeskSamples, readPaperAccount } from '#trading/desk-samples.ts'
import { openMarketData } from '#trading/market/market-data.ts'
import { openPerformance } from '#trading/performance/performance.ts'
import type { TradingEngine } from './trading-engine.ts'

/** One engine with its files open. */
export interface OpenEngine {
  readonly config: EngineConfig
  readonly folder: EngineFolder
  readonly store: EngineStore
  readonly samples: Samples
  readonly engine: TradingEngine
}

/** What an engine has in the admin store. */
export interface EngineStore {
  adapters: AdaptersStore
  audit: EngineAudit
}

export function storeOf(store: AdminStore, { name }: EngineConfig, { isNamed }: EngineFolder): EngineStore {
  if (!isNamed) return store
  return { adapters: adaptersOfEngine(store.adapters, name), audit: store.audit.forEngine(name) }
}

export interface OpenEngineOptions {
  config: EngineConfig
  folder: EngineFolder
  store: EngineStore
  logger: FastifyBaseLogger
  openEngine: () => Promise<TradingEngine>
}

/** Opens an engine and its samples; leaves nothing open when one fails. */
export async function openEngineWithSamples(options: OpenEngineOptions): Promise<OpenEngine> {
  const { config, folder, store, logger, openEngine } = options
  const openingSamples = openSamples(
    folder.samples.at('samples.sqlite'),
    (message) => logger.warn({ event: 'samples.damaged', message }),
    { onFault: (err) => logger.error({ event: 'samples.ended', err }) },
  )
  // Beside each other: each waits for a thread of its own.
  const openingEngine = openEngine()
  try {
    const [samples, engine] = await Promise.all([openingSamples, openingEngine])
    return { config, folder, store, samples, engine }
  } catch (fault) {
    await openingSamples.then((samples) => samples.close()).catch(() => undefined)
    await openingEngine.then((engine) => engine.close(0)).catch(() => undefined)
    folder.release()
    throw fault
  }
}

/** Closes an engine with its files. */
export function closeEngine({ engine, samples, folder }: OpenEngine, graceMs: number): Promise<void> {
  return closeInOrder(graceMs, [
    (leftMs) => engine.close(leftMs),
    () => samples.close(),
    () => folder.release(),
  ])
}

/** Serves an engine that was just opened. When a step fails it is closed, since the next attempt opens it again. */
export async function serveOrClose(
  opened: OpenEngine,
  openUnit: (opened: OpenEngine) => Promise<EngineUnit>,
  serve: (unit: EngineUnit) => Promise<void>,
): Promise<EngineUnit> {
  let unit: EngineUnit | undefined
  try {
    unit = await openUnit(opened)
    await serve(unit)
    return unit
  } catch (fault) {
    unit?.stop()
    // The reason that counts is the first one.
    await (unit === undefined ? closeEngine(opened, 0) : unit.close(0)).catch(() => {})
    throw fault
  }
}

/** What the trading API serves of one engine. */
export type EngineUnit = Awaited<ReturnType<typeof openEngineUnit>>

export interface EngineUnitOptions {
  opened: OpenEngine
  dataFolder: string
  jobs: Jobs
  backtests: Backtests
  onFault: (fault: unknown) => void
}

/** Adds to an engine what is computed and recorded of it. */
export async function openEngineUnit({ opened, dataFolder, jobs, backtests, onFault }: EngineUnitOptions) {
  const { config, engine, samples, store } = opened
  const { desk, history, links } = engine
  // Before anything is started that a failure would leave running.
  const minStrategyNumber = (await store.audit.highestTarget('strategy', 'S-')) + 1
  const streamTraffic = { frames: 0, clients: 0 }
  const deskMetrics = createDeskMetrics(desk, streamTraffic)
  const metrics = openMetrics({ dataFolder, samples, ...deskMetrics })
  const sources = [createDeskSamples(desk, samples.atStart), metrics.source, createAdapterSamples(links)]
  const sampler = startSampler({ samples, sources, onFault })
  const { venues } = engine
  const adapters = openAdapters({ desk, links, ...(venues && { venues }), store: store.adapters, jobs })
  const { instruments, secondsFolder } = engine
  const market = openMarketData({ desk, instruments, record: history.market, secondsFolder, onFault })
  // A node has one account. That of the embedded engine's paper trading stays apart from its own.
  const isPaperNode = config.kind === 'nautilus' && desk.views.engine().account === 'paper'
  const ownSamples = isPaperNode ? readPaperAccount(samples) : samples
  const performance = openPerformance({ desk, samples: ownSamples, reader: engine.trades, market, backtests })
  let reportedAtMs = Date.now()
  const unfollow = desk.onChange((change) => {
    if (change.kind !== 'reset') reportedAtMs = Date.now()
  })
  return {
    config,
    engine,
    samples,
    /** What its app serves. */
    served: {
      desk,
      traderId: config.traderId,
      samples,
      metrics,
      streamTraffic,
      adapters,
      market,
      performance,
      // The embedded engine runs its own; a node's need NautilusTrader on this machine.
      backtests: engine.ordersFile === undefined && engine.backtests === undefined ? undefined : backtests,
      componentAudit: store.audit,
      waitForAudit: () => engine.waitForAudit(),
      historyProgress: history.progress,
      ...(engine.historyCheck && { historyCheck: engine.historyCheck }),
      ...(engine.warmStrategy && { warmStrategy: engine.warmStrategy }),
      minStrategyNumber,
    },
    reportedAtMs: () => reportedAtMs,
    /** Ends what is recorded. */
    stop() {
      unfollow()
      sampler.close()
      deskMetrics.close()
      metrics.close()
    },
    /** After the jobs and backtests that use it. */
    close: (graceMs: number) =>
      closeInOrder(graceMs, [
        () => performance.close(),
        () => market.close(),
        (leftMs) => closeEngine(opened, leftMs),
      ]),
  }
}

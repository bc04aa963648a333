import { type Desk, type Instruments, standardInstruments } from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import type { AdaptersStore } from '#storage/admin/adapters-store.ts'
import type { EngineAudit } from '#storage/admin/audit-store.ts'
import type { DataFolder } from '#storage/data-folder.ts'
import type { AdapterVenues } from '#trading/adapters/adapter.wire.ts'
import { readLinkSettings } from '#trading/adapters/adapters.ts'
import type { BacktestEngine } from '#trading/backtests/backtest-engine.ts'
import { type MarketHistory, openMarketHistory } from '#trading/catalog/market-history.ts'
import { createWarmStrategies } from '#trading/catalog/warm-strategies.ts'
import { openPerformanceReader, type PerformanceReader } from '#trading/performance/performance-reader.ts'
import type { AdapterLinks } from '#trading/runtime/adapter-links.ts'
import { startAuditProjection } from '#trading/runtime/audit-projection.ts'
import { openEmbeddedDesk, pathsIn } from '#trading/runtime/embedded-desk.ts'
import { type HistoryCheck, startHistoryCheck } from '#trading/runtime/history-check.ts'
import type { WarmStrategy } from '#trading/strategies.routes.ts'

/** The engine that this server trades with, and what belongs to it. */
export interface TradingEngine {
  readonly desk: Desk
  readonly instruments: Instruments
  readonly history: MarketHistory
  /** The folder of the 1-second bars. */
  readonly secondsFolder: string
  /** The trades that performance is computed from. */
  readonly trades: PerformanceReader
  /** The file of the embedded engine's orders; undefined for another engine. */
  readonly ordersFile?: string
  readonly historyCheck?: HistoryCheck
  /** The connections of its venues. */
  readonly links: AdapterLinks
  /** Its venues, unless they are those of the embedded engine. */
  readonly venues?: AdapterVenues
  readonly warmStrategy?: WarmStrategy
  /** Runs its backtests; undefined for the embedded engine, and where they are not offered. */
  readonly backtests?: BacktestEngine | undefined
  /** Resolves once all commands so far are in the audit log, or after a second. */
  settleAudit(): Promise<unknown>
  /** Begins what may wait until the server listens. */
  start(): void
  close(graceMs: number): Promise<void>
}

export interface TradingEngineOptions {
  folder: DataFolder
  /** Where custom strategies are: all embedded engines share them. */
  strategiesFolder: string
  historyDays: number
  store: { adapters: AdaptersStore; audit: EngineAudit }
  logger: FastifyBaseLogger
  onFault: (fault: unknown) => void
}

/** Opens the embedded engine on the data folder. */
export async function openEmbeddedEngine(options: TradingEngineOptions): Promise<TradingEngine> {
  const { folder, store, logger, onFault } = options
  const history = await openMarketHistory({ folder, days: options.historyDays, logger })
  const paths = { ...pathsIn(folder), strategiesFolder: options.strategiesFolder }
  const desk = await openEmbeddedDesk(paths, logger, history.daily, await readLinkSettings(store.adapters))
  await folder.recordStores()
  const strategies = createWarmStrategies({ desk, history, logger })
  await strategies.all()
  const historyCheck = startHistoryCheck({ paths, logger })
  const auditing = startAuditProjection({ desk, audit: store.audit, onFault })
  return {
    desk,
    instruments: standardInstruments(),
    history,
    secondsFolder: folder.at('seconds'),
    trades: openPerformanceReader(paths.ordersFile),
    ordersFile: paths.ordersFile,
    historyCheck,
    links: desk.adapters,
    warmStrategy: strategies.one,
    settleAudit: () => auditing.settled(),
    start: () => history.start(desk),
    async close(graceMs) {
      await history.close()
      await historyCheck.close()
      await auditing.close(graceMs)
      await desk.close()
    },
  }
}

import type { Desk, Instruments } from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import type { AdaptersStore } from '#storage/admin/adapters-store.ts'
import type { EngineAudit } from '#storage/admin/audit-store.ts'
import type { DataFolder } from '#storage/data-folder.ts'
import type { AdapterVenues } from '#trading/adapters/adapter.wire.ts'
import type { BacktestEngine } from '#trading/backtests/backtest-engine.ts'
import type { MarketHistory } from '#trading/catalog/market-history.ts'
import type { PerformanceReader } from '#trading/performance/performance-reader.ts'
import type { AdapterLinks } from '#trading/runtime/adapter-links.ts'
import type { HistoryCheck } from '#trading/runtime/history-check.ts'
import type { WarmStrategy } from '#trading/strategies.routes.ts'

/** An engine that this server trades with, and what belongs to it. */
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
  waitForAudit(): Promise<unknown>
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

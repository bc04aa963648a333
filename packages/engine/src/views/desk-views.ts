import type { Instrument } from '#model/instrument.ts'
import type { IdempotencyKey, InstrumentId, OrderId, StrategyId } from '#values/ids.ts'
import type { AccountView } from './account-view.ts'
import type { BookView } from './book-view.ts'
import type { EmergencyView } from './emergency-view.ts'
import type { EngineView } from './engine-view.ts'
import type { OrderView } from './order-view.ts'
import type { PositionView } from './position-view.ts'
import type { QuoteView } from './quote-view.ts'
import type { RiskView } from './risk-view.ts'
import type { RemovedStrategyView, StrategyView } from './strategy-view.ts'

/** The current state of an engine, as the server reads it. Views show durable effects only. */
export interface DeskViews {
  /** Rises with every change of orders, positions, strategies, limits or components. */
  readonly revision: number
  /** Why trading stopped by itself (disk failure, engine down), or null. */
  readonly haltReason: string | null
  engine(): EngineView
  instruments(): readonly Instrument[]
  /** The latest quote of each instrument that has one. */
  quotes(): readonly QuoteView[]
  /** The order book of an instrument, our resting orders included; null before its first quote. */
  book(instrument: InstrumentId): BookView | null
  strategies(): readonly StrategyView[]
  strategy(id: StrategyId): StrategyView | null
  /** The name of a strategy, also of a deleted one; undefined for manual orders. */
  strategyName(id: StrategyId): string | undefined
  /** Deleted strategies, latest first. */
  removedStrategies(): readonly RemovedStrategyView[]
  /** Every working order and the latest finished ones, newest first. */
  orders(): readonly OrderView[]
  order(id: OrderId): OrderView | null
  /** The order of one of the latest idempotency keys; older keys are in the order history. */
  orderOfKey(key: IdempotencyKey): OrderId | null
  positions(): readonly PositionView[]
  account(): AccountView
  risk(): RiskView
  emergency(): EmergencyView
}

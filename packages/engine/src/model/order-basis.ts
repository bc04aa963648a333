import type { ExitKind } from './position.ts'
import type { Side } from './tick.ts'

/** A check with the number it compared and its limit. Amounts are decimals of the quote currency. */
export interface CheckFigure {
  readonly check:
    | 'quote_age_ms'
    | 'max_order_size'
    | 'max_position_size'
    | 'strategy_loss'
    | 'max_daily_loss'
    | 'max_positions'
    | 'margin'
  readonly value: number
  readonly limit: number
}

/** What a strategy wanted, or the exit price that was reached, in units of the instrument. */
export type OrderIntent =
  | { readonly type: 'target'; readonly position: number }
  | { readonly type: 'place'; readonly side: Side; readonly quantity: number; readonly price: number | null }
  | { readonly type: 'exit'; readonly exit: ExitKind; readonly price: number }

/** Why the engine placed an order: the intent, and the figures of the strategy at that moment. */
export interface IntentRecord {
  readonly intent: OrderIntent
  /** By name; absent when the strategy states none. */
  readonly signal?: Readonly<Record<string, number>>
}

/** What an order was decided by, recorded with it. Absent in backtests and in entries of older versions. */
export interface OrderBasis extends Partial<IntentRecord> {
  /** Limits are checked only for an order that adds. */
  readonly effect: 'adds' | 'reduces' | 'closes'
  readonly quote: { readonly bid: number; readonly ask: number; readonly ageMs: number } | null
  readonly checks: readonly CheckFigure[]
}

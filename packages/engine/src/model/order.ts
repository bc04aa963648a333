import type { IdempotencyKey, InstrumentId, OrderId, Seq, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Money } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import { type Quantity, quantityFromLots } from '#values/quantity.ts'
import type { OrderState } from './order-life.ts'
import type { CancelCause, Denial, VenueRejection } from './reasons.ts'
import type { Side } from './tick.ts'

export const ORDER_TYPES = ['MARKET', 'LIMIT', 'STOP'] as const
export type OrderType = (typeof ORDER_TYPES)[number]

export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const
export type TimeInForce = (typeof TIMES_IN_FORCE)[number]

/** The terms of a well-formed order: every value is on tick and lot. */
export interface OrderTerms {
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly quantity: Quantity
  /** The limit of a LIMIT, the trigger of a STOP, null for MARKET. */
  readonly price: Price | null
  readonly reduceOnly: boolean
  /** Present when the gate made it reduce-only although that was not requested. */
  readonly isMadeReduceOnly?: true
  /** Present when it was placed for the paper account. */
  readonly isPaper?: true
  readonly key: IdempotencyKey | null
}

/** The order that an idempotency key was used for. */
export interface KeyedOrder {
  readonly orderId: OrderId
  /** The entry that placed it. */
  readonly seq: Seq
  readonly terms: OrderTerms
}

/** New terms for a working order, requested and not yet confirmed. */
export interface OrderChange {
  readonly quantity: Quantity
  readonly price: Price | null
  readonly valuePerLot: Money
}

/** An order as folded from events; only the fold writes to it. */
export interface Order {
  readonly id: OrderId
  /** Counts orders from 1, in the order in which they were placed. */
  readonly number: number
  readonly terms: OrderTerms
  quantity: Quantity
  price: Price | null
  /** The value of one lot for risk while the order works. */
  valuePerLot: Money
  state: OrderState
  filled: Quantity
  /** The number of fills; the next fill has this number plus one. */
  fills: number
  /** The value of all fills, from which the average price follows. */
  filledValue: Money
  fees: Money
  isTriggered: boolean
  isCancelRequested: boolean
  /** Why the cancel was requested; absent in snapshots of older versions. */
  cancelCause?: CancelCause | null
  change: OrderChange | null
  /** The number of requested changes; the next one has this number plus one. */
  changes: number
  /** Why the venue refused the last change; absent in snapshots of older versions. */
  changeRejection?: VenueRejection | null
  reason: Denial | VenueRejection | CancelCause | null
  readonly createdAt: Instant
  updatedAt: Instant
}

/** Returns the quantity that can still fill. */
export function remainingOf(order: Order): Quantity {
  return quantityFromLots(order.quantity - order.filled)
}

/** Returns the largest quantity that can still fill, a requested increase included. */
export function largestRemainingOf(order: Order): Quantity {
  return quantityFromLots(Math.max(order.quantity, order.change?.quantity ?? 0) - order.filled)
}

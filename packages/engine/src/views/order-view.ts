import type { Instruments } from '#market/instruments.ts'
import { describeReason, type Reason } from '#model/describe.ts'
import type { Order, OrderType, TimeInForce } from '#model/order.ts'
import { isWorking } from '#model/order-life.ts'
import type { VenueRejection } from '#model/reasons.ts'
import type { Side } from '#model/tick.ts'
import type { OrderRegister } from '#state/order-register.ts'
import type { InstrumentId, OrderId, StrategyId } from '#values/ids.ts'
import type { Increment } from '#values/increment.ts'
import type { Instant } from '#values/instant.ts'
import { moneyToNumber } from '#values/money.ts'
import { priceToNumber } from '#values/price.ts'
import { quantityToNumber } from '#values/quantity.ts'

/** A working order is PENDING even when partly filled; denied and rejected are both REJECTED. */
export type OrderStatus = 'PENDING' | 'FILLED' | 'CANCELLED' | 'REJECTED'

/** An order as screens show it, in decimals. */
export interface OrderView {
  readonly id: OrderId
  readonly number: number
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly reduceOnly: boolean
  /** Present when it traded for the paper account. */
  readonly isPaper?: true
  readonly quantity: number
  readonly price: number | null
  readonly filled: number
  readonly averagePrice: number | null
  readonly fees: number
  readonly status: OrderStatus
  readonly isCancelRequested: boolean
  /** The requested terms that the venue has not confirmed; orders stored by older versions have neither field. */
  readonly pendingChange?: { readonly quantity: number; readonly price: number | null } | null
  /** Why the venue refused the last change. */
  readonly changeRejection?: (Reason & { readonly sentence: string }) | null
  readonly reason: (Reason & { readonly sentence: string }) | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The default list has the working orders and so many finished ones. */
export const MAX_LISTED_FINISHED = 500

/** Returns every working order and the latest finished ones, newest first; older ones are in the store. */
export function viewOrders(register: OrderRegister, instruments: Instruments): OrderView[] {
  const finished = [...register.finished.values()].slice(-MAX_LISTED_FINISHED)
  return [...register.working.values(), ...finished]
    .sort((one, other) => other.number - one.number)
    .map((order) => viewOrder(order, instruments))
}

/** Returns one order as screens show it. The literal has no spread, which would take as long as all the rest. */
export function viewOrder(order: Order, instruments: Instruments): OrderView {
  const { terms } = order
  const { tick, lot } = instruments.get(terms.instrument)
  const filled = quantityToNumber(order.filled, lot)
  const { pendingChange, changeRejection } = viewChange(order, tick, lot)
  const view: OrderView = {
    id: order.id,
    number: order.number,
    strategy: terms.strategy,
    instrument: terms.instrument,
    side: terms.side,
    type: terms.type,
    timeInForce: terms.timeInForce,
    reduceOnly: terms.reduceOnly,
    quantity: quantityToNumber(order.quantity, lot),
    price: order.price === null ? null : priceToNumber(order.price, tick),
    filled,
    averagePrice: filled === 0 ? null : moneyToNumber(order.filledValue) / filled,
    fees: moneyToNumber(order.fees),
    status: statusOf(order),
    isCancelRequested: order.isCancelRequested,
    pendingChange,
    changeRejection,
    reason: withSentence(order.reason),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  }
  return terms.isPaper ? asPaper(view) : view
}

/** Adds the field where stored orders have it: their texts are compared with the journal. */
function asPaper(view: OrderView): OrderView {
  const { id, number, strategy, instrument, side, type, timeInForce, reduceOnly, ...rest } = view
  return { id, number, strategy, instrument, side, type, timeInForce, reduceOnly, isPaper: true, ...rest }
}

/** A change still pending when the order ends counts as rejected. */
function viewChange({ state, change, changeRejection }: Order, tick: Increment, lot: Increment) {
  if (change === null || !isWorking(state))
    return { pendingChange: null, changeRejection: withSentence(changeRejection ?? (change && ENDED_FIRST)) }
  const { quantity, price } = change
  const pendingChange = {
    quantity: quantityToNumber(quantity, lot),
    price: price === null ? null : priceToNumber(price, tick),
  }
  return { pendingChange, changeRejection: withSentence(changeRejection ?? null) }
}

const ENDED_FIRST: VenueRejection = {
  code: 'venue.refused',
  message: 'the order ended before the change reached it',
}

function withSentence(reason: Reason | null): OrderView['reason'] {
  return reason && { ...reason, sentence: describeReason(reason) }
}

function statusOf({ state }: Order): OrderStatus {
  if (isWorking(state)) return 'PENDING'
  if (state === 'FILLED' || state === 'CANCELLED') return state
  return 'REJECTED'
}

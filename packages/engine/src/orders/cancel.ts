import { type Answer, type Core, DONE, emit, send } from '#core.ts'
import { type BookKey, bookKey } from '#positions/position.ts'
import { approveLess } from '#risk/gate.ts'
import type { OrderId, StrategyId } from '#values/ids.ts'
import { quantity } from '#values/quantity.ts'
import { type Result, refuse } from '#values/result.ts'
import { type Order, type OrderChange, remainingOf } from './order.ts'
import { findOrder } from './order-register.ts'
import type { CancelCause, Conflict } from './reasons.ts'

/** Asks the venue to take an order back; it is cancelled when the venue says so. */
export function cancelOrder(core: Core, id: OrderId): Answer {
  const order = workingOrder(core, id)
  if (!order.ok) return order
  requestCancel(core, order.value, { code: 'cancel.asked' })
  return DONE
}

/** Returns an order that can still be acted on, or why it cannot. */
export function workingOrder(core: Core, id: OrderId): Result<Order, Conflict> {
  const order = findOrder(core.state.orders, id)
  if (order === undefined) return refuse({ code: 'order.unknown', order: id })
  if (core.state.orders.working.has(id)) return { ok: true, value: order }
  return refuse({ code: 'order.finished', order: id, state: order.state })
}

/** Asks once; a second wish is the same wish. */
function requestCancel(core: Core, order: Order, cause: CancelCause): void {
  if (order.isCancelRequested) return
  emit(core, { type: 'OrderCancelRequested', orderId: order.id, cause })
  send(core, { type: 'cancel', orderId: order.id, instrument: order.terms.instrument, cause })
}

/** Takes back an order of a strategy's own; one that is none, or no longer works, is passed over. */
export function cancelOf(core: Core, strategy: StrategyId, id: OrderId): void {
  const order = core.state.orders.working.get(id)
  if (order?.terms.strategy === strategy) requestCancel(core, order, { code: 'cancel.strategy', strategy })
}

/** Takes back every working order that the condition names. */
export function cancelWhere(core: Core, cause: CancelCause, isMeant: (order: Order) => boolean): void {
  for (const order of [...core.state.orders.working.values()]) {
    if (isMeant(order)) requestCancel(core, order, cause)
  }
}

/** Takes back the working orders that would add exposure; those that only reduce stay and protect. */
export function cancelAdding(core: Core, cause: CancelCause): void {
  const left = new Map<BookKey, number>()
  cancelWhere(core, cause, (order) => !fitsInto(left, core, order))
}

/**
 * Cuts reduce-only orders, oldest first, to what is left for them to reduce, so that what is still held stays
 * protected; one for which nothing is left is taken back, as is one that a venue did not let be cut.
 */
export function trimReduceOnly(core: Core, key: BookKey, mayCut: boolean): void {
  if (!core.state.orders.totals.get(key)?.reduceOnlyOrders) return
  const net = core.state.positions.open.get(key)?.quantity ?? 0
  let left = Math.abs(net)
  for (const order of reduceOnlyOf(core, key)) {
    const room = opposes(order, net) ? left : 0
    // A fill can overtake a change to less than that.
    const lots = Math.max(0, askedOf(order).quantity - order.filled)
    if (lots > room) shorten(core, order, mayCut ? room : 0)
    left -= Math.min(lots, room)
  }
}

function reduceOnlyOf(core: Core, key: BookKey): Order[] {
  const working = [...core.state.orders.working.values()]
  return working.filter((order) => order.terms.reduceOnly && keyOf(order) === key)
}

function shorten(core: Core, order: Order, room: number): void {
  const { minQuantity } = core.instruments.get(order.terms.instrument)
  if (room > 0 && canRest(order) && order.filled + room >= minQuantity) requestCut(core, order, room)
  else requestCancel(core, order, { code: 'cancel.nothing-to-reduce' })
}

/** The terms that an order has, or will have once its venue agrees. */
function askedOf(order: Order): OrderChange {
  return order.change ?? order
}

/** What cannot rest is done, or gone, before a venue hears of a change. */
function canRest({ terms, isCancelRequested }: Order): boolean {
  return terms.timeInForce === 'GTC' && !isCancelRequested
}

function requestCut(core: Core, order: Order, lots: number): void {
  const { price, valuePerLot } = askedOf(order)
  const less = { quantity: quantity(order.filled + lots), price, valuePerLot }
  // Approved first: what is asked for counts as the order's from then on.
  const change = approveLess(order, less)
  emit(core, { type: 'OrderChangeRequested', orderId: order.id, ...less })
  send(core, { type: 'change', change })
}

/** Says whether the order still fits into what is held against it, and takes its share. */
function fitsInto(left: Map<BookKey, number>, core: Core, order: Order): boolean {
  const key = keyOf(order)
  const net = core.state.positions.open.get(key)?.quantity ?? 0
  const room = left.get(key) ?? Math.abs(net)
  const lots = remainingOf(order)
  if (!opposes(order, net) || lots > room) return false
  left.set(key, room - lots)
  return true
}

function opposes({ terms }: Order, net: number): boolean {
  return terms.side === 'BUY' ? net < 0 : net > 0
}

function keyOf({ terms }: Order): BookKey {
  return bookKey(terms.strategy, terms.instrument)
}

import { type Order, type OrderChange, remainingOf } from '#model/order.ts'
import { type PositionKey, positionKey } from '#model/position.ts'
import type { CancelCause, Conflict } from '#model/reasons.ts'
import { approveLess } from '#risk/gate.ts'
import { findOrder } from '#state/order-register.ts'
import { emit, send } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import type { OrderId, StrategyId } from '#values/ids.ts'
import { quantity } from '#values/quantity.ts'
import { type Result, refuse } from '#values/result.ts'

/**
 * Requests a cancel from the venue; the order is cancelled when the venue confirms. A repeated request is recorded for
 * the audit and not sent again.
 */
export function cancelOrder(core: Core, id: OrderId): CommandAnswer {
  const order = workingOrder(core, id)
  if (!order.ok) return order
  const cause = { code: 'cancel.asked' } as const
  if (order.value.isCancelRequested) emit(core, { type: 'OrderCancelRequested', orderId: id, cause })
  else requestCancel(core, order.value, cause)
  return DONE
}

/** Returns a working order, or why it cannot be changed. */
export function workingOrder(core: Core, id: OrderId): Result<Order, Conflict> {
  const order = findOrder(core.state.orders, id)
  if (order === undefined) return refuse({ code: 'order.unknown', order: id })
  if (core.state.orders.working.has(id)) return { ok: true, value: order }
  return refuse({ code: 'order.finished', order: id, state: order.state })
}

/** Requests a cancel once; a repeated request changes nothing. */
function requestCancel(core: Core, order: Order, cause: CancelCause): void {
  if (order.isCancelRequested) return
  emit(core, { type: 'OrderCancelRequested', orderId: order.id, cause })
  send(core, { type: 'cancel', orderId: order.id, instrument: order.terms.instrument, cause })
}

/** Cancels a strategy's own working order; any other id is ignored. */
export function cancelOwnOrder(core: Core, strategy: StrategyId, id: OrderId): void {
  const order = core.state.orders.working.get(id)
  if (order?.terms.strategy === strategy) requestCancel(core, order, { code: 'cancel.strategy', strategy })
}

/** Cancels every working order that matches. */
export function cancelWhere(core: Core, cause: CancelCause, matches: (order: Order) => boolean): void {
  for (const order of [...core.state.orders.working.values()]) {
    if (matches(order)) requestCancel(core, order, cause)
  }
}

/** Cancels the working orders that would add exposure; those that only reduce stay. */
export function cancelAdding(core: Core, cause: CancelCause): void {
  const left = new Map<PositionKey, number>()
  cancelWhere(core, cause, (order) => !takeReducible(left, core, order))
}

/**
 * Cuts reduce-only orders, oldest first, to the quantity left to reduce, so that the position stays protected. An order
 * with nothing left to reduce, or that the venue did not let be cut, is cancelled.
 */
export function trimReduceOnly(core: Core, key: PositionKey, mayCut: boolean): void {
  if (!core.state.orders.totals.get(key)?.reduceOnlyOrders) return
  const net = core.state.positions.open.get(key)?.quantity ?? 0
  let left = Math.abs(net)
  for (const order of reduceOnlyOf(core, key)) {
    const reducible = opposes(order, net) ? left : 0
    // A fill can overtake a change to a smaller quantity.
    const lots = Math.max(0, requestedTerms(order).quantity - order.filled)
    if (lots > reducible) reduceOrCancel(core, order, mayCut ? reducible : 0)
    left -= Math.min(lots, reducible)
  }
}

function reduceOnlyOf(core: Core, key: PositionKey): Order[] {
  const working = [...core.state.orders.working.values()]
  return working.filter((order) => order.terms.reduceOnly && keyOf(order) === key)
}

function reduceOrCancel(core: Core, order: Order, reducible: number): void {
  const { minQuantity } = core.instruments.get(order.terms.instrument)
  if (reducible > 0 && canRest(order) && order.filled + reducible >= minQuantity)
    requestCut(core, order, reducible)
  else requestCancel(core, order, { code: 'cancel.nothing-to-reduce' })
}

/** The order's terms once its venue has confirmed the requested change. */
function requestedTerms(order: Order): OrderChange {
  return order.change ?? order
}

/** An order that cannot rest is finished before a change reaches the venue. */
function canRest({ terms, isCancelRequested }: Order): boolean {
  return terms.timeInForce === 'GTC' && !isCancelRequested
}

function requestCut(core: Core, order: Order, lots: number): void {
  const { price, valuePerLot } = requestedTerms(order)
  const less = { quantity: quantity(order.filled + lots), price, valuePerLot }
  // Approved before the event, which makes the requested terms the order's own.
  const change = approveLess(order, less)
  emit(core, { type: 'OrderChangeRequested', orderId: order.id, ...less })
  send(core, { type: 'change', change })
}

/** Returns whether the order only reduces what is left of the position, and deducts it. */
function takeReducible(left: Map<PositionKey, number>, core: Core, order: Order): boolean {
  const key = keyOf(order)
  const net = core.state.positions.open.get(key)?.quantity ?? 0
  const reducible = left.get(key) ?? Math.abs(net)
  const lots = remainingOf(order)
  if (!opposes(order, net) || lots > reducible) return false
  left.set(key, reducible - lots)
  return true
}

function opposes({ terms }: Order, net: number): boolean {
  return terms.side === 'BUY' ? net < 0 : net > 0
}

function keyOf({ terms }: Order): PositionKey {
  return positionKey(terms.strategy, terms.instrument)
}

import { largestRemainingOf, type Order, type OrderChange } from '#model/order.ts'
import { type PositionKey, positionKey } from '#model/position.ts'
import type { CancelCause, Conflict } from '#model/reasons.ts'
import { approveReduction } from '#risk/gate.ts'
import { findOrder } from '#state/order-register.ts'
import { isEmergencyActive } from '#state/risk-register.ts'
import { emit, send } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import type { OrderId, StrategyId } from '#values/ids.ts'
import { quantityFromLots } from '#values/quantity.ts'
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

/** Cancels the working orders that could add exposure; those that only reduce stay. */
export function cancelOrdersThatAdd(core: Core, cause: CancelCause): void {
  const reducing = ordersThatOnlyReduce(core)
  cancelWhere(core, cause, (order) => !reducing.has(order))
}

/**
 * While trading is not ACTIVE, cancels the orders for a position that have become too large to only reduce it, or that
 * become so once a close of the given size fills.
 */
export function cancelOversized(core: Core, key: PositionKey, closingLots = 0): void {
  const { risk, orders } = core.state
  if (risk.tradingState === 'ACTIVE' || orders.totals.get(key) === undefined) return
  const reducing = ordersThatOnlyReduce(core, { key, lots: closingLots })
  const cause: CancelCause = isEmergencyActive(risk)
    ? { code: 'cancel.emergency' }
    : { code: 'cancel.trading-state', state: risk.tradingState }
  cancelWhere(core, cause, (order) => keyOf(order) === key && !reducing.has(order))
}

/**
 * Returns the working orders that only reduce even if all of them fill, oldest first. What a venue may still fill of
 * reduce-only orders, which it never lets add, and of orders whose cancel is on its way counts before the others.
 */
function ordersThatOnlyReduce(core: Core, closing?: { key: PositionKey; lots: number }): Set<Order> {
  const { orders, positions } = core.state
  const reducing = new Set<Order>()
  const left = new Map<PositionKey, number>()
  const fits = (order: Order): boolean => {
    const key = keyOf(order)
    const net = positions.open.get(key)?.quantity ?? 0
    if (!opposes(order, net)) return false
    const before = left.get(key) ?? Math.abs(net) - (closing?.key === key ? closing.lots : 0)
    const after = before - largestRemainingOf(order)
    if (after < 0 && !isCountedFirst(order)) return false
    left.set(key, after)
    return true
  }
  const working = [...orders.working.values()]
  for (const order of working) if (isCountedFirst(order) && fits(order)) reducing.add(order)
  for (const order of working) if (!isCountedFirst(order) && fits(order)) reducing.add(order)
  return reducing
}

function isCountedFirst({ terms, isCancelRequested }: Order): boolean {
  return terms.reduceOnly || isCancelRequested
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
  return working.filter((order) => order.terms.reduceOnly && !order.isCancelRequested && keyOf(order) === key)
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
function canRest({ terms }: Order): boolean {
  return terms.timeInForce === 'GTC'
}

function requestCut(core: Core, order: Order, lots: number): void {
  const { price, valuePerLot } = requestedTerms(order)
  const less = { quantity: quantityFromLots(order.filled + lots), price, valuePerLot }
  // Approved before the event, which makes the requested terms the order's own.
  const change = approveReduction(order, less)
  emit(core, { type: 'OrderChangeRequested', orderId: order.id, ...less })
  send(core, { type: 'change', change })
}

function opposes({ terms }: Order, net: number): boolean {
  return terms.side === 'BUY' ? net < 0 : net > 0
}

function keyOf({ terms }: Order): PositionKey {
  return positionKey(terms.strategy, terms.instrument)
}

import type { OrderEvent } from '#model/event.ts'
import type { OrderReport } from '#model/input.ts'
import { notionalOf } from '#model/instrument.ts'
import { type Order, remainingOf } from '#model/order.ts'
import { canHappen } from '#model/order-life.ts'
import { type Position, type PositionKey, positionKey } from '#model/position.ts'
import { findOrder } from '#state/order-register.ts'
import { realisedBy, signedLots } from '#state/pnl.ts'
import { emit, revalue } from '#step/record.ts'
import type { Core } from '#step/step-core.ts'
import { type PositionId, positionId } from '#values/ids.ts'
import { cancelOversized, trimReduceOnly } from './cancel.ts'
import { enforceDailyLoss } from './trading-state.ts'

type ReportOf<Type extends OrderReport['type']> = Extract<OrderReport, { type: Type }>

/**
 * Handles a venue's report about an order. A report that the order's life does not allow is recorded and changes
 * nothing.
 */
export function handleReport(core: Core, report: OrderReport): void {
  const order = core.state.orders.working.get(report.orderId)
  if (order === undefined) {
    const finished = findOrder(core.state.orders, report.orderId)
    emit(core, disregardEvent(report, finished ? `the order is ${finished.state}` : 'there is no such order'))
    return
  }
  if (isRepeated(order, report)) return
  const event = eventForReport(core, order, report)
  emit(core, event)
  if (event.type !== 'OrderFilled') {
    if (endsChange(event)) fitToPosition(core, keyOf(order), false)
    return
  }
  fitToPosition(core, keyOf(order), true)
  revalue(core)
  enforceDailyLoss(core)
}

/** A venue that did not apply a change as requested may have left an order larger than what it can reduce. */
function endsChange({ type }: OrderEvent): boolean {
  return type === 'OrderChangeRejected' || type === 'OrderChanged'
}

/** Orders that only reduce must not exceed the position. */
function fitToPosition(core: Core, key: PositionKey, mayCut: boolean): void {
  trimReduceOnly(core, key, mayCut)
  cancelOversized(core, key)
}

function keyOf({ terms }: Order): PositionKey {
  return positionKey(terms.strategy, terms.instrument)
}

/** Returns whether a venue repeats a report, as after a reconnect. */
function isRepeated(order: Order, report: OrderReport): boolean {
  if (report.type === 'accepted') return order.state !== 'SUBMITTED'
  if (report.type === 'triggered') return order.isTriggered
  if (report.type === 'filled') return report.fill <= order.fills
  return false
}

function eventForReport(core: Core, order: Order, report: OrderReport): OrderEvent {
  const orderId = order.id
  if (!canHappen(order.state, report.type)) return unexpected(order, report)
  switch (report.type) {
    case 'accepted':
      return { type: 'OrderAccepted', orderId }
    case 'triggered':
      return { type: 'OrderTriggered', orderId }
    case 'rejected':
      return { type: 'OrderRejected', orderId, reason: report.reason }
    case 'changeRejected':
      // A later change is still on its way.
      if (report.change < order.changes) return disregardEvent(report, `change ${order.changes} is pending`)
      return { type: 'OrderChangeRejected', orderId, reason: report.reason }
    case 'cancelled':
      return { type: 'OrderCancelled', orderId, cause: report.cause }
    case 'changed':
      return eventForChange(order, report)
    case 'filled':
      return eventForFill(core, order, report)
  }
}

function unexpected(order: Order, report: OrderReport): OrderEvent {
  if (report.type !== 'rejected') return disregardEvent(report, `the order is ${order.state}`)
  // A venue that no longer knows an accepted order, as after a restart, has cancelled it.
  const cause = { code: 'cancel.venue', message: report.reason.code } as const
  return { type: 'OrderCancelled', orderId: order.id, cause }
}

function eventForChange(order: Order, report: ReportOf<'changed'>): OrderEvent {
  const { quantity, price } = report
  const { change } = order
  const isLast = change !== null && report.change >= order.changes
  if (quantity <= order.filled) return eventForTooSmallChange(order, report, isLast)
  const isOver = isLast && (change.quantity !== quantity || change.price !== price)
  return { type: 'OrderChanged', orderId: order.id, quantity, price, ...(isOver && { isOver }) }
}

/** A fill can overtake a change. An order cannot be smaller than its filled quantity, so the change is rejected. */
function eventForTooSmallChange(order: Order, report: ReportOf<'changed'>, isLast: boolean): OrderEvent {
  const message = `${order.filled} lots are filled`
  if (!isLast) return disregardEvent(report, message)
  return { type: 'OrderChangeRejected', orderId: order.id, reason: { code: 'venue.refused', message } }
}

function eventForFill(core: Core, order: Order, report: ReportOf<'filled'>): OrderEvent {
  if (report.fill !== order.fills + 1) return disregardEvent(report, `fill ${order.fills + 1} is next`)
  if (report.quantity > remainingOf(order)) return disregardEvent(report, 'it is more than is left')
  const { strategy, instrument, side } = order.terms
  const held = core.state.positions.open.get(positionKey(strategy, instrument))
  const { fill, quantity, price, liquidity, fee } = report
  const notional = notionalOf(core.instruments.get(instrument), price, quantity)
  const traded = { side, quantity, notional }
  return {
    type: 'OrderFilled',
    orderId: order.id,
    fill,
    quantity,
    price,
    liquidity,
    notional,
    fee,
    realised: realisedBy(held, traded),
    positionId: positionAfter(core, held, signedLots(traded)),
  }
}

function positionAfter(core: Core, held: Position | undefined, lots: number): PositionId {
  const isFlip = held !== undefined && Math.sign(held.quantity + lots) === -Math.sign(held.quantity)
  return held === undefined || isFlip ? positionId(core.state.positions.nextNumber) : held.id
}

function disregardEvent({ orderId, type }: OrderReport, why: string): OrderEvent {
  return { type: 'ReportDisregarded', orderId, report: type, why }
}

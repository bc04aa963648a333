import { orders } from '@binnacle/contract'
import { type Desk, type IdempotencyKey, idFrom, type OrderId, type OrderView } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { Unconfirmed } from '#http/unconfirmed.ts'
import { asOf } from './as-of.ts'
import { decimalToWire } from './decimal.wire.ts'
import { detailToWire } from './order-detail.wire.ts'
import { listOrders, nextCursor } from './order-list.ts'
import { orderToWire, placeOrderFromWire, previewToWire } from './orders.wire.ts'
import { refusalToWire } from './refusal.wire.ts'
import { isInScope, rowOutcome, rowOutcomesToWire } from './row-outcomes.ts'
import { submitCommand } from './submit-command.ts'
import { awaitVenue } from './venue-answer.ts'

export function addOrderRoutes(app: FastifyInstance, desk: Desk): void {
  mount(app, orders.list, ({ query }) => {
    const listed = listOrders(desk, query)
    if (listed instanceof Refused) return listed
    return {
      ...asOf(desk),
      orders: listed.map((order) => orderToWire(order, desk.views)),
      next_cursor: nextCursor(desk, query, listed),
    }
  })

  mount(app, orders.get, ({ params }) => {
    const order = findOrder(desk, idFrom<OrderId>(params.id))
    return order ? orderToWire(order, desk.views) : notFound('order', params.id, { list: 'GET /api/orders' })
  })

  mount(app, orders.detail, async ({ params }) => {
    const order = findOrder(desk, idFrom<OrderId>(params.id))
    if (order === null) return notFound('order', params.id, { list: 'GET /api/orders' })
    return detailToWire(order, await desk.orderTimeline(order), desk.views)
  })

  mount(app, orders.byKey, ({ params }) => {
    const key = idFrom<IdempotencyKey>(params.key)
    const orderId = desk.views.orderOfKey(key) ?? desk.orderHistory.findKey(key)?.orderId
    const order = orderId && findOrder(desk, orderId)
    return order
      ? orderToWire(order, desk.views)
      : notFound('order with the key', params.key, { field: 'path.key' })
  })

  mount(app, orders.place, async ({ body }, { audit, idempotencyKey }) => {
    const answer = await submitCommand(desk, placeOrderFromWire(body, idempotencyKey), audit)
    return answer instanceof Refused ? answer : orderReply(desk, answer.orderId)
  })

  mount(app, orders.preview, async ({ body }) => {
    const outcome = await desk.preview(placeOrderFromWire(body, undefined))
    return outcome.ok ? previewToWire(outcome.value) : refusalToWire(outcome.reason)
  })

  mount(app, orders.modify, async ({ params, body }, { audit }) => {
    const orderId = idFrom<OrderId>(params.id)
    const { quantity, price } = body
    const change = { ...(quantity !== undefined && { quantity }), ...(price !== undefined && { price }) }
    const answer = await submitCommand(desk, { type: 'ModifyOrder', orderId, ...change }, audit)
    return answer instanceof Refused ? answer : orderReply(desk, orderId)
  })

  mount(app, orders.cancel, async ({ params }, { audit }) => {
    const orderId = idFrom<OrderId>(params.id)
    const answer = await submitCommand(desk, { type: 'CancelOrder', orderId }, audit)
    if (answer instanceof Refused) return filledRefusal(findOrder(desk, orderId)) ?? answer
    await awaitVenue(desk, () => findOrder(desk, orderId)?.status !== 'PENDING')
    return cancelReply(params.id, findOrder(desk, orderId))
  })

  mount(app, orders.cancelAll, async ({ body }, { audit }) => {
    const working = desk.views
      .orders()
      .filter((order) => order.status === 'PENDING' && isInScope(order, body))
    const answers = await Promise.all(
      working.map(({ id }) => submitCommand(desk, { type: 'CancelOrder', orderId: id }, audit)),
    )
    await awaitVenue(desk, () => working.every(({ id }) => findOrder(desk, id)?.status !== 'PENDING'))
    const rows = working.map((order, index) => {
      const answer = answers[index]
      const reply = cancelReply(order.id, findOrder(desk, order.id))
      // An order that finished meanwhile says so itself.
      return rowOutcome(order, answer instanceof Refused && reply instanceof Unconfirmed ? answer : reply)
    })
    return rowOutcomesToWire(rows, CANCEL_WORDS)
  })
}

const CANCEL_WORDS = { none: 'No working orders.', one: 'order', many: 'orders', done: 'cancelled' }

/** CALL-49: only an order that is CANCELLED is reported as cancelled. */
function cancelReply(id: string, order: OrderView | null) {
  if (order === null || order.status === 'PENDING') {
    return new Unconfirmed(`Cancel requested. Order ${id} is working until its venue confirms the cancel.`)
  }
  if (order.status === 'CANCELLED') {
    const filled = order.filled > 0 ? `; ${fillText(order)} was filled before` : ''
    return { message: `Order ${id} cancelled${filled}` }
  }
  return filledRefusal(order) ?? new Refused('order.not-pending', notCancelled(order))
}

function filledRefusal(order: OrderView | null): Refused | undefined {
  if (order?.status !== 'FILLED') return undefined
  return new Refused(
    'order.not-pending',
    `Order ${order.id} was filled before it could be cancelled: ${fillText(order)}.`,
  )
}

function notCancelled({ id, reason }: OrderView): string {
  return `Order ${id} was rejected before it could be cancelled. ${reason?.sentence ?? ''}`.trimEnd()
}

function fillText({ filled, averagePrice }: OrderView): string {
  return averagePrice === null ? `${filled}` : `${filled} at ${decimalToWire(averagePrice)}`
}

/** An order that finished long ago is only in the order history. */
function findOrder({ views, orderHistory }: Desk, orderId: OrderId): OrderView | null {
  return views.order(orderId) ?? orderHistory.find(orderId)
}

function orderReply(desk: Desk, orderId: OrderId | null) {
  const order = orderId && findOrder(desk, orderId)
  return order ? orderToWire(order, desk.views) : {}
}

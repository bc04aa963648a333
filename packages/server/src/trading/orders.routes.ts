import { orders } from '@binnacle/contract'
import { idFrom, type OrderId } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DeskHost } from '#runtime/desk-host.ts'
import { askDesk } from './ask-desk.ts'
import { listOrders, nextCursor } from './order-list.ts'
import { orderToWire, placeOrderFromWire } from './orders.wire.ts'
import { awaitVenue } from './venue-answer.ts'

export function addOrderRoutes(app: FastifyInstance, desk: DeskHost): void {
  mount(app, orders.list, ({ query }) => {
    const listed = listOrders(desk, query)
    if (listed instanceof Refused) return listed
    return { orders: listed.map(orderToWire), next_cursor: nextCursor(desk, query, listed) }
  })

  mount(app, orders.place, async ({ body }, act, key) => {
    const answer = await askDesk(desk, placeOrderFromWire(body, key), act)
    return answer instanceof Refused ? answer : orderReply(desk, answer.orderId)
  })

  mount(app, orders.modify, async ({ params, body }, act) => {
    const orderId = idFrom<OrderId>(params.id)
    const { quantity, price } = body
    const change = { ...(quantity !== undefined && { quantity }), ...(price !== undefined && { price }) }
    const answer = await askDesk(desk, { type: 'ModifyOrder', orderId, ...change }, act)
    return answer instanceof Refused ? answer : orderReply(desk, orderId)
  })

  mount(app, orders.cancel, async ({ params }, act) => {
    const orderId = idFrom<OrderId>(params.id)
    const answer = await askDesk(desk, { type: 'CancelOrder', orderId }, act)
    if (answer instanceof Refused) return answer
    const isDone = await awaitVenue(desk, () => desk.views.order(orderId)?.status !== 'PENDING')
    return { message: `Order ${params.id} ${isDone ? 'cancelled' : 'is being cancelled'}` }
  })
}

/** A repeated key may name an order that the views have long forgotten. */
function orderReply({ views, pastOrders }: DeskHost, orderId: OrderId | null) {
  const order = orderId && (views.order(orderId) ?? pastOrders.find(orderId))
  return order ? orderToWire(order) : {}
}

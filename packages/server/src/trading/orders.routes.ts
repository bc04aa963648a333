import { orders } from '@binnacle/contract'
import { type Desk, idFrom, type OrderId, type OrderView } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { askDesk } from './ask-desk.ts'
import { orderToWire, placeOrderFromWire } from './orders.wire.ts'

export function addOrderRoutes(app: FastifyInstance, desk: Desk): void {
  mount(app, orders.list, ({ query }) => ({ orders: pageOf(desk.views.orders(), query).map(orderToWire) }))

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
    const answer = await askDesk(desk, { type: 'CancelOrder', orderId: idFrom(params.id) }, act)
    return answer instanceof Refused ? answer : { message: `Order ${params.id} is being cancelled` }
  })
}

interface Page {
  limit?: number | undefined
  status?: string | undefined
  cursor?: string | undefined
}

function pageOf(all: readonly OrderView[], { limit, status, cursor }: Page): readonly OrderView[] {
  const begin = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  const wanted = all.slice(begin).filter((order) => status === undefined || order.status === status)
  return limit === undefined ? wanted : wanted.slice(0, limit)
}

function orderReply(desk: Desk, orderId: OrderId | null) {
  const order = orderId && desk.views.order(orderId)
  return order ? orderToWire(order) : {}
}

import { idFrom, type OrderId, type OrderView } from '@binnacle/engine'
import { anOrder } from '@binnacle/engine/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { Refused } from '#http/problems.ts'
import { openIdleDesk } from '#runtime/idle-desk.ts'
import { openOrderHistory } from '#storage/orders/order-history.ts'
import { listOrders, type OrderPage } from './order-list.ts'

/** A desk with orders 1 to 5: 2 and 4 work, the others were denied; the history also knows of 1 and 3 by another price. */
async function aDesk() {
  const history = openOrderHistory(':memory:')
  onTestFinished(() => history.close())
  const desk = await openIdleDesk({ pastOrders: history })
  for (const quantity of [100, 0.001, 100, 0.001, 100]) {
    await desk.submit(anOrder({ orderType: 'LIMIT', price: 40_000, quantity }))
  }
  return { desk, history }
}

/** An order that finished so long ago that the views have forgotten it. */
function forgotten(number: number, status: OrderView['status']): OrderView {
  return { id: idFrom<OrderId>(`O-${number}`), number, status } as OrderView
}

test('pages go over the whole history, newest first, each order once', async () => {
  const { desk, history } = await aDesk()
  const shown = desk.views.orders()
  const past = shown.filter(({ status }) => status === 'REJECTED')
  history.add([...past, forgotten(-1, 'FILLED'), forgotten(-2, 'CANCELLED')], { seq: 1, chain: 1 })
  const numbers = (page: OrderPage) => {
    const listed = listOrders(desk, page)
    return listed instanceof Refused ? listed : listed.map(({ number }) => number)
  }
  expect(numbers({})).toEqual([5, 4, 3, 2, 1])
  expect(numbers({ limit: 7 })).toEqual([5, 4, 3, 2, 1, -1, -2])
  expect(numbers({ limit: 2 })).toEqual([5, 4])
  expect(numbers({ limit: 2, cursor: 'O-4' })).toEqual([3, 2])
  expect(numbers({ limit: 3, cursor: 'O-2' })).toEqual([1, -1, -2])
  expect(numbers({ status: 'REJECTED' })).toEqual([5, 3, 1])
  expect(numbers({ status: 'FILLED' })).toEqual([-1])
  expect(numbers({ status: 'PENDING' })).toEqual([4, 2])
  expect(numbers({ status: 'PENDING', limit: 1 })).toEqual([4])
})

test('a cursor that is no order id is refused by its name', async () => {
  const { desk } = await aDesk()
  expect(listOrders(desk, { cursor: 'P-1' })).toMatchObject({
    code: 'request.invalid',
    errors: [{ field: 'query.cursor', message: "must be the id of an order, and 'P-1' is none" }],
  })
})

test('without a limit a page has 500 orders', async () => {
  const { desk, history } = await aDesk()
  const past = Array.from({ length: 600 }, (_, index) => forgotten(-index, 'FILLED'))
  history.add(past, { seq: 1, chain: 1 })
  expect(listOrders(desk, { cursor: 'O-3' })).toHaveLength(500)
  expect(listOrders(desk, { status: 'FILLED' })).toHaveLength(500)
})

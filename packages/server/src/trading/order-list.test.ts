import { idFrom, type OrderId, type OrderView } from '@binnacle/engine'
import { anOrder } from '@binnacle/engine/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Refused } from '#http/problems.ts'
import { openOrderHistory } from '#storage/orders/order-history.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { listOrders, nextCursor, type OrderPage } from './order-list.ts'

/** A desk with orders 1 to 5: 2 and 4 work, the others were denied; the history also knows of 1 and 3 by another price. */
async function aDesk() {
  const history = openOrderHistory(':memory:')
  onTestFinished(() => history.close())
  const desk = await openInMemoryDesk({ orderHistory: history })
  for (const quantity of [100, 0.001, 100, 0.001, 100]) {
    await desk.submit(anOrder({ orderType: 'LIMIT', price: 40_000, quantity }))
  }
  return { desk, history }
}

/** An order that finished so long ago that the views have forgotten it. */
function forgotten(number: number, status: OrderView['status']): OrderView {
  const shared = { instrument: 'BTCUSDT', strategy: 'MANUAL' }
  return { id: anId(number), number, ...shared, status } as unknown as OrderView
}

function anId(number: number): OrderId {
  return idFrom<OrderId>(`O-${number}`)
}

test('pages go over the whole history, newest first, each order once', async () => {
  const { desk, history } = await aDesk()
  const shown = desk.views.orders()
  const past = shown.filter(({ status }) => status === 'REJECTED')
  history.add(
    { orders: [...past, forgotten(-1, 'FILLED'), forgotten(-2, 'CANCELLED')] },
    { seq: 1, chain: 1 },
  )
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
    errors: [{ field: 'query.cursor', message: "must be the id of an order, not 'P-1'" }],
  })
})

test('without a limit a page has 500 orders', async () => {
  const { desk, history } = await aDesk()
  const past = Array.from({ length: 600 }, (_, index) => forgotten(-index, 'FILLED'))
  history.add({ orders: past }, { seq: 1, chain: 1 })
  expect(listOrders(desk, { cursor: 'O-3' })).toHaveLength(500)
  expect(listOrders(desk, { status: 'FILLED' })).toHaveLength(500)
})

describe('where a list goes on', () => {
  const next = (desk: InMemoryDesk, page: OrderPage = {}) => {
    const listed = listOrders(desk, page)
    return listed instanceof Refused ? listed : nextCursor(desk, page, listed)
  }

  test('[ORD-20] [ORD-28] a list that leaves nothing out does not say', async () => {
    const { desk } = await aDesk()
    expect(next(desk)).toBeUndefined()
    expect(next(desk, { limit: 5 })).toBeUndefined()
    expect(next(desk, { cursor: 'O-3' })).toBeUndefined()
    expect(next(desk, { cursor: 'O-1' })).toBeUndefined()
    expect(next(desk, { status: 'REJECTED', limit: 1 })).toBeUndefined()
    expect(next(await openInMemoryDesk())).toBeUndefined()
  })

  test('[ORD-20] [ORD-28] a page has the cursor of the next, down to the last', async () => {
    const { desk } = await aDesk()
    expect(next(desk, { limit: 2 })).toBe('O-4')
    expect(next(desk, { limit: 1, cursor: 'O-4' })).toBe('O-3')
    expect(next(desk, { limit: 2, cursor: 'O-99' })).toBe('O-4')
  })

  test('[ORD-20] [ORD-28] there is a cursor from the 501st finished order on, above the open ones that are older', async () => {
    const { desk } = await aDesk()
    for (let finished = 3; finished < 500; finished++) await desk.submit(anOrder({ quantity: 100 }))
    expect(next(desk)).toBeUndefined()
    await desk.submit(anOrder({ quantity: 100 }))
    expect(listOrders(desk, {})).toHaveLength(502)
    // O-1 is the one that is left out, and O-2 still works.
    expect(next(desk)).toBe('O-2')
  })

  test('[ORD-20] there is a cursor when the newest order is left out', async () => {
    const desk = await openInMemoryDesk()
    const working = anOrder({ orderType: 'LIMIT', price: 40_000, quantity: 0.001 })
    for (let number = 1; number <= 500; number++) await desk.submit(working)
    await desk.submit(anOrder({ quantity: 100 }))
    expect(next(desk)).toBeUndefined()
    for (const { id: orderId } of desk.views.orders().slice(1)) {
      await desk.submit({ type: 'CancelOrder', orderId })
    }
    await desk.idle()
    expect(listOrders(desk, {})).toHaveLength(500)
    expect(next(desk)).toBe('O-502')
  })

  test('[ORD-20] there is a cursor when the newest order left the views before the orders that are listed', async () => {
    const { desk, history } = await aDesk()
    for (let number = 6; number <= 505; number++) await desk.submit(anOrder({ quantity: 100 }))
    history.add({ orders: [forgotten(507, 'REJECTED')] }, { seq: 1, chain: 1 })
    expect(next(desk)).toBe('O-508')
  })

  test('[ORD-20] [ORD-27] from the first page to the last each order is listed once, whatever is open or was till now', async () => {
    const { desk, history } = await aDesk()
    const finishedUpTo = (last: number) =>
      Array.from({ length: last }, (_, index) => desk.views.order(anId(index + 1)) ?? [])
        .flat()
        .filter(({ status }) => status !== 'PENDING')
    for (let number = 6; number <= 1300; number++) {
      const isWorking = number % 100 === 0
      await desk.submit(
        isWorking
          ? anOrder({ orderType: 'LIMIT', price: 40_000, quantity: 0.001 })
          : anOrder({ quantity: 100 }),
      )
      // The desk itself remembers no more than 1,000.
      if (number % 400 === 0) history.add({ orders: finishedUpTo(number) }, { seq: number, chain: 1 })
    }
    await desk.submit({ type: 'CancelOrder', orderId: anId(200) })
    await desk.idle()
    history.add({ orders: finishedUpTo(1300) }, { seq: 1300, chain: 1 })
    const pages = walk(desk)
    expect(pages[0]).toEqual(expect.arrayContaining([2, 4, 100, 200, 300, 1300]))
    expect(pages.map(({ length }) => length)).toEqual([514, 500, 286])
    const everyNumber = Array.from({ length: 1300 }, (_, index) => 1300 - index)
    expect(pages.flat().sort((one, other) => other - one)).toEqual(everyNumber)
  })

  function walk(desk: InMemoryDesk): number[][] {
    const pages: number[][] = []
    let page: OrderPage | undefined = {}
    while (page !== undefined) {
      const listed = listOrders(desk, page)
      if (listed instanceof Refused) throw listed
      pages.push(listed.map(({ number }) => number))
      const cursor = nextCursor(desk, page, listed)
      page = cursor === undefined ? undefined : { cursor }
    }
    return pages
  }
})

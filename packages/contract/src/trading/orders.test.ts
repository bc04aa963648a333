import { describe, expect, test } from 'vitest'
import { NewOrder, orders } from './orders.ts'

const order = {
  id: 'o-1',
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: 0.001,
  price: 50_000,
  filled_qty: 0,
  status: 'PENDING',
}

describe('the list of orders', () => {
  test('[CALL-14] each has id, instrument, side, type, quantity, price, filled_qty and status', () => {
    expect(orders.list.reply.parse({ orders: [order] })).toEqual({ orders: [order] })
  })

  test.each(Object.keys(order).filter((field) => field !== 'price'))(
    '[CLIENT-5] without %s the list is no list',
    (field) => {
      expect(orders.list.reply.safeParse({ orders: [{ ...order, [field]: undefined }] }).success).toBe(false)
    },
  )

  test.each([
    ['a MARKET order without a price', { price: null }],
    ['a numeric id', { id: 7 }],
    ['a status nobody knows', { status: 'PARKED' }],
  ])('%s is understood', (_, change) => {
    expect(orders.list.reply.parse([{ ...order, ...change }])).toEqual({ orders: [{ ...order, ...change }] })
  })

  test('[ORD-14] a reason comes with its numbers, or as a bare sentence', () => {
    const reason = {
      code: 'max_order_size',
      sentence: 'Too large',
      numbers: { limit: 10_000, value: 12_000 },
    }
    expect(reasonIn(reason)).toEqual(reason)
    expect(reasonIn('Too large')).toEqual({ sentence: 'Too large' })
    expect(reasonIn(null)).toBeUndefined()
    expect(reasonIn({ nonsense: true })).toBeUndefined()
  })
})

describe('a new order', () => {
  const asked = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.001, price: 0 }

  test('[ORD-11] is sent as the form holds it, price 0 included', () => {
    expect(NewOrder.parse(asked)).toEqual(asked)
  })

  test.each([
    { side: 'HOLD' },
    { type: 'ICEBERG' },
    { quantity: '0.001' },
    { quantity: Number.NaN },
    { price: Number.POSITIVE_INFINITY },
    { instrument: '' },
    { leverage: 3 },
  ])('[CALL-4] with %o is refused', (change) => {
    expect(NewOrder.safeParse({ ...asked, ...change }).success).toBe(false)
  })
})

test('[CLIENT-4] an order was placed when the answer is OK, whatever it says', () => {
  expect(orders.place.status).toBe(201)
  expect(orders.place.reply.parse(order)).toEqual(order)
  expect(orders.place.reply.parse(undefined)).toEqual({})
  expect(orders.place.reply.parse({ message: 'accepted', order_id: 4 })).toEqual({ message: 'accepted' })
})

function reasonIn(reason: unknown) {
  return orders.list.reply.parse({ orders: [{ ...order, reason }] }).orders[0]?.reason
}

import { beforeEach, expect, test } from 'vitest'
import { limit, market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('[ORD-14] an order over a limit is an order, REJECTED with the numbers', async () => {
  const { status, body } = await trading.call('POST', '/api/orders', market(10))
  expect(status).toBe(201)
  expect(body).toMatchObject({
    status: 'REJECTED',
    reason: {
      code: 'limit.order-size',
      sentence: 'The order is worth 500,005.00; Max Order Size is 10,000.00.',
      numbers: { value: 500_005, limit: 10_000 },
    },
  })
})

test('[RISK-46] a spot sell beyond the holding is an order, REJECTED with the holding', async () => {
  await trading.call('POST', '/api/orders', market(0.011))
  const { status, body } = await trading.call('POST', '/api/orders', { ...market(0.012), side: 'SELL' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    status: 'REJECTED',
    reason: {
      code: 'spot.short',
      sentence: 'You hold 0.011 BTC; spot cannot be sold short.',
      numbers: { held: 0.011, working: 0 },
    },
  })
})

test('[ORD-15] a stop on the wrong side of the market is an order, REJECTED with both prices', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  const stop = { ...limit(50_100), type: 'STOP', side: 'SELL' }
  const { status, body } = await trading.call('POST', '/api/orders', stop)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    status: 'REJECTED',
    filled_qty: 0,
    reason: {
      code: 'stop.past-market',
      sentence: 'A sell stop must be below the market: 50,100.00 given, the bid is 49,999.50.',
      numbers: { price: 50_100, market: 49_999.5 },
    },
  })
  const { id } = (await trading.call('POST', '/api/orders', { ...stop, price: 40_000 })).body
  const moved = await trading.call('PATCH', `/api/orders/${id}`, { price: 50_100 })
  expect(moved).toMatchObject({
    status: 409,
    body: { detail: 'A sell stop must be below the market: 50,100.00 given, the bid is 49,999.50.' },
  })
})

test.each([
  [
    'an unknown instrument',
    { ...market(0.1), instrument: 'DOGE' },
    'body.instrument',
    "no instrument 'DOGE'",
  ],
  ['no quantity', market(0), 'body.quantity', 'Enter a quantity above 0'],
  ['a negative quantity', market(-1), 'body.quantity', 'Enter a quantity above 0'],
  ['a huge quantity', market(1e30), 'body.quantity', 'above the maximum'],
  ['a quantity off the lot', market(0.123456789), 'body.quantity', 'nearest are 0.12345 and 0.12346'],
  ['a price off the tick', limit(40_000.001), 'body.price', 'nearest are 40000 and 40000.01'],
  ['no price for LIMIT', limit(null), 'body.price', 'A LIMIT order needs a price'],
])('[CALL-4] %s is answered 422, names the field and leaves no order', async (_, order, field, words) => {
  const { status, body } = await trading.call('POST', '/api/orders', order)
  expect(status).toBe(422)
  expect(body).toMatchObject({ code: 'order.malformed', errors: [{ field }] })
  expect(body.detail).toContain(words)
  expect((await trading.call('GET', '/api/orders')).body.orders).toEqual([])
})

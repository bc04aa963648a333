import { beforeEach, expect, test } from 'vitest'
import { limit, market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('[ORD-56] a preview says price, cost, fee, margin and limit use, and places nothing', async () => {
  const { status, body } = await trading.call('POST', '/api/orders/preview', market(0.1))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    quote: { bid: 49_999.5, ask: 50_000.5, spread: 1 },
    fill: { quantity: 0.1, price: 50_000.5, cost: 5_000.05 },
    rest: { quantity: 0, price: null, cost: 0, fee: 0 },
    cancelled: 0,
    position: { before: 0, after: 0.1 },
    limits: {
      max_order_size: { before: 0, after: 5_000.05, limit: 10_000 },
      max_position_size: { before: 0, after: 5_000, limit: 50_000 },
      max_positions: { before: 0, after: 1, limit: 10 },
    },
  })
  expect(body.denied).toBeUndefined()
  expect((await trading.call('GET', '/api/orders')).body.orders).toEqual([])
  const placed = (await trading.call('POST', '/api/orders', market(0.1))).body
  await trading.settle()
  const order = (await trading.call('GET', `/api/orders/${placed.id}`)).body
  expect(order).toMatchObject({ average_price: body.fill.price, fees: body.fill.fee })
  expect((await trading.call('GET', '/api/risk/metrics')).body.margin_used).toBe(body.margin.after)
})

test('[ORD-57] a preview of an order that would be denied has the reason with its numbers', async () => {
  const { status, body } = await trading.call('POST', '/api/orders/preview', market(1))
  expect(status).toBe(200)
  expect(body.denied).toMatchObject({ code: 'limit.order-size', numbers: { value: 50_000.5, limit: 10_000 } })
  expect(await trading.call('POST', '/api/orders/preview', limit(0))).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'body.price' }] },
  })
})

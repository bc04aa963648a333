import { beforeEach, expect, test } from 'vitest'
import { limit, market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('[CALL-59] an order is read by its id', async () => {
  await trading.call('POST', '/api/orders', limit(40_000))
  expect(await trading.call('GET', '/api/orders/O-1')).toMatchObject({
    status: 200,
    body: { id: 'O-1', price: 40_000 },
  })
  expect(await trading.call('GET', '/api/orders/O-2')).toMatchObject({
    status: 404,
    body: { detail: "There is no order 'O-2'. GET /api/orders lists them." },
  })
})

test('[CALL-14][CALL-15] [CALL-39][CALL-16][CALL-17] a market order fills, becomes a position and is closed', async () => {
  const placed = await trading.call('POST', '/api/orders', market(0.1))
  expect(placed).toMatchObject({ status: 201, body: { id: 'O-1', status: 'FILLED', price: null } })
  await trading.settle()
  expect((await trading.call('GET', '/api/orders')).body.orders).toMatchObject([
    { id: 'O-1', status: 'FILLED', filled_qty: 0.1, average_price: 50_000.5 },
  ])
  const { positions } = (await trading.call('GET', '/api/positions')).body
  expect(positions).toMatchObject([
    { side: 'LONG', quantity: 0.1, entry_price: 50_000.5, current_price: 50_000, unrealized_pnl: -0.05 },
  ])
  expect(positions[0]).toMatchObject({ strategy: 'MANUAL' })
  expect(positions[0]).not.toHaveProperty('strategy_name')
  expect((await trading.call('GET', '/api/risk/metrics')).body).toMatchObject({
    total_exposure: 5000,
    position_count: 1,
  })
  expect((await trading.call('POST', `/api/positions/${positions[0].id}/close`)).status).toBe(200)
  await trading.settle()
  expect((await trading.call('GET', '/api/positions')).body.positions).toEqual([])
})

test('[CALL-74] a LIMIT and a STOP that filled have the average fill price, the fee and the time, beside their own price', async () => {
  // A buy limit above the market takes the ask; the stop is triggered by a lower market and takes the bid.
  await trading.call('POST', '/api/orders', limit(50_100))
  await trading.settle()
  await trading.call('POST', '/api/orders', { ...limit(49_000), type: 'STOP', side: 'SELL' })
  await trading.settle(48_900)
  const listed = (await trading.call('GET', '/api/orders')).body.orders
  expect(listed).toMatchObject([
    // 0.04 % of 0.1 × 48,899.5.
    { id: 'O-2', type: 'STOP', status: 'FILLED', price: 49_000, average_price: 48_899.5, fees: 1.95598 },
    { id: 'O-1', type: 'LIMIT', status: 'FILLED', price: 50_100, average_price: 50_000.5, fees: 2.00002 },
  ])
  for (const { created_at, updated_at } of listed) {
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at))
  }
  expect((await trading.call('GET', '/api/account')).body.fees).toBe(3.956)
})

test('a POST is seen by the next GET', async () => {
  await trading.call('POST', '/api/orders', limit(40_000))
  expect((await trading.call('GET', '/api/orders')).body.orders).toMatchObject([
    { id: 'O-1', status: 'PENDING' },
  ])
})

test('[CALL-15] a pending order is changed and cancelled, a cancelled one is neither', async () => {
  await trading.call('POST', '/api/orders', limit(40_000))
  await trading.settle()
  expect((await trading.call('PATCH', '/api/orders/O-1', { price: 41_000 })).status).toBe(200)
  await trading.settle()
  expect((await trading.call('GET', '/api/orders')).body.orders).toMatchObject([{ price: 41_000 }])
  expect((await trading.call('DELETE', '/api/orders/O-1')).status).toBe(200)
  await trading.settle()
  expect((await trading.call('GET', '/api/orders')).body.orders).toMatchObject([{ status: 'CANCELLED' }])
  expect(await trading.call('DELETE', '/api/orders/O-1')).toMatchObject({
    status: 409,
    body: { code: 'order.not-pending', detail: 'Order O-1 is already cancelled.' },
  })
  expect((await trading.call('DELETE', '/api/orders/O-99')).status).toBe(404)
})

test('lists take a limit, a status and a cursor', async () => {
  for (const price of [40_000, 40_001, 40_002]) await trading.call('POST', '/api/orders', limit(price))
  await trading.call('POST', '/api/orders', market(10))
  const ids = async (query: string) =>
    (await trading.call('GET', `/api/orders${query}`)).body.orders.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual(['O-4', 'O-3', 'O-2', 'O-1'])
  expect(await ids('?limit=2')).toEqual(['O-4', 'O-3'])
  expect(await ids('?limit=2&cursor=O-3')).toEqual(['O-2', 'O-1'])
  expect(await ids('?status=REJECTED')).toEqual(['O-4'])
  expect((await trading.call('GET', '/api/orders?limit=0')).status).toBe(422)
})

import { beforeEach, expect, test } from 'vitest'
import { limit, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('a repeated POST with the same key gives the first order again', async () => {
  const first = await trading.call('POST', '/api/orders', limit(40_000), 'key-1')
  const again = await trading.call('POST', '/api/orders', limit(40_000), 'key-1')
  expect(again.body.id).toBe(first.body.id)
  expect((await trading.call('GET', '/api/orders')).body.orders).toHaveLength(1)
})

test('[CALL-150] an empty key is refused and places nothing', async () => {
  const headers = { 'idempotency-key': '' }
  const reply = await trading.app.inject({
    method: 'POST',
    url: '/api/orders',
    headers,
    payload: limit(40_000),
  })
  expect(reply.statusCode).toBe(422)
  expect(reply.json()).toMatchObject({
    detail: 'The Idempotency-Key is empty. Send a new one, or none.',
    errors: [{ field: 'header.idempotency-key', message: 'is empty' }],
  })
  expect((await trading.call('GET', '/api/orders')).body.orders).toEqual([])
})

test('[ORD-38] an order is found by its key, and a key without an order is 404', async () => {
  await trading.call('POST', '/api/orders', limit(40_000), 'a key/1')
  expect(await trading.call('GET', '/api/orders/by-key/a%20key%2F1')).toMatchObject({
    status: 200,
    body: { id: 'O-1', status: 'PENDING', price: 40_000 },
  })
  expect(await trading.call('GET', '/api/orders/by-key/other')).toMatchObject({
    status: 404,
    body: { code: 'thing.unknown', detail: "There is no order with the key 'other'." },
  })
})

test('[ORD-37] an unknown UUIDv7 key of two days ago is refused and places nothing', async () => {
  const uuid = (at: number) => {
    const time = at.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000001`
  }
  const old = uuid(wallClock.now() - 2 * 86_400_000)
  const refused = await trading.call('POST', '/api/orders', limit(40_000), old)
  expect(refused).toMatchObject({ status: 409, body: { code: 'key.too-old' } })
  expect(refused.body.detail).toContain('created 48 hours ago; at most 24 are accepted, and nothing was done')
  expect((await trading.call('GET', '/api/orders')).body.orders).toEqual([])
  expect((await trading.call('POST', '/api/orders', limit(40_000), uuid(wallClock.now()))).status).toBe(201)
})

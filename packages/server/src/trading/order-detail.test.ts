import { beforeEach, expect, test } from 'vitest'
import { limit, market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('[ORD-66] the detail of an order has its checks, its fills with fees and the time of each step', async () => {
  const placed = (await trading.call('POST', '/api/orders', market(0.1))).body
  await trading.settle()
  const { body } = await trading.call('GET', `/api/orders/${placed.id}/detail`)
  expect(body.order).toMatchObject({ id: placed.id, status: 'FILLED' })
  expect(body.basis).toMatchObject({ effect: 'adds', quote: { bid: 49_999.5, ask: 50_000.5 } })
  expect(body.basis.checks).toContainEqual({ check: 'max_order_size', value: 5_000.05, limit: 10_000 })
  expect(body.steps[0]).toMatchObject({ event: 'submitted', by: 'local', quantity: 0.1 })
  expect(body.steps.at(-1)).toMatchObject({ event: 'filled', price: 50_000.5, liquidity: 'TAKER', by: null })
  expect(body.steps.at(-1).fee).toBe(body.order.fees)
  expect(body.is_complete).toBe(true)
})

test('[ORD-66] a denied order has its detail too, and a cancelled one says who cancelled', async () => {
  const denied = (await trading.call('POST', '/api/orders', market(1))).body
  const { body } = await trading.call('GET', `/api/orders/${denied.id}/detail`)
  expect(body.steps).toMatchObject([{ event: 'denied', sentence: denied.reason.sentence }])
  expect(body.basis.checks).toContainEqual({ check: 'max_order_size', value: 50_000.5, limit: 10_000 })
  const resting = (await trading.call('POST', '/api/orders', limit(40_000))).body
  await trading.settle()
  const cancel = trading.call('DELETE', `/api/orders/${resting.id}`)
  await trading.settle()
  await cancel
  const detail = (await trading.call('GET', `/api/orders/${resting.id}/detail`)).body
  expect(detail.steps.map(({ event }: { event: string }) => event)).toEqual([
    'submitted',
    'accepted',
    'cancel requested',
    'cancelled',
  ])
  expect(detail.steps[2].by).toBe('local')
  expect((await trading.call('GET', '/api/orders/O-99/detail')).status).toBe(404)
})

import { beforeEach, expect, test } from 'vitest'
import { limit, market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('[ORD-58] cancel all cancels the working orders in its scope and says what became of each', async () => {
  expect((await trading.call('POST', '/api/orders/cancel-all', {})).body).toEqual({
    message: 'No working orders.',
    rows: [],
  })
  const ids = [
    await trading.call('POST', '/api/orders', limit(40_000)),
    await trading.call('POST', '/api/orders', limit(41_000)),
  ].map(({ body }) => body.id)
  await trading.settle()
  expect((await trading.call('POST', '/api/orders/cancel-all', { instrument: 'ETHUSDT' })).body.rows).toEqual(
    [],
  )
  const answer = trading.call('POST', '/api/orders/cancel-all', { instrument: 'BTCUSDT', strategy: 'MANUAL' })
  await trading.settle()
  const { status, body } = await answer
  expect(status).toBe(200)
  expect(body.message).toBe('2 of 2 orders cancelled.')
  expect(body.rows).toHaveLength(2)
  for (const id of ids) {
    expect(body.rows).toContainEqual({
      id,
      instrument: 'BTCUSDT',
      outcome: 'done',
      message: `Order ${id} cancelled`,
    })
    expect((await trading.call('GET', `/api/orders/${id}`)).body.status).toBe('CANCELLED')
  }
})

test('[POS-21] a part of a position is closed by a reduce-only market order, once per key', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  const [{ id }] = (await trading.call('GET', '/api/positions')).body.positions
  const close = async (quantity: number, key?: string) => {
    const answer = trading.call('POST', `/api/positions/${id}/close`, { quantity }, key)
    await trading.settle()
    return answer
  }
  const first = await close(0.03, 'part-1')
  expect(first).toEqual({ status: 200, body: { message: `0.03 of position ${id} closed` } })
  expect(await close(0.03, 'part-1')).toEqual(first)
  const positions = async () => (await trading.call('GET', '/api/positions')).body.positions
  expect(await positions()).toMatchObject([{ id, quantity: 0.07 }])
  const [order] = (await trading.call('GET', '/api/orders')).body.orders
  expect(order).toMatchObject({ type: 'MARKET', side: 'SELL', reduce_only: true, quantity: 0.03 })
  expect(await close(0.08)).toMatchObject({
    status: 422,
    body: { detail: 'The quantity 0.08 is more than the position, 0.07.' },
  })
  expect((await close(0.07)).body.message).toBe(`Position ${id} closed`)
  expect(await positions()).toEqual([])
})

test('[POS-22] close all closes every position in its scope and says what became of each', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  const [{ id }] = (await trading.call('GET', '/api/positions')).body.positions
  expect((await trading.call('POST', '/api/positions/close-all', { strategy: 'S-9' })).body.message).toBe(
    'No open positions.',
  )
  const answer = trading.call('POST', '/api/positions/close-all', {}, 'all-1')
  await trading.settle()
  expect((await answer).body).toEqual({
    message: '1 of 1 position closed.',
    rows: [{ id, instrument: 'BTCUSDT', outcome: 'done', message: `Position ${id} closed` }],
  })
})

test('[POS-300] close all accepts a key of the greatest length, and a repeat closes nothing twice', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  const answer = trading.call('POST', '/api/positions/close-all', {}, 'k'.repeat(200))
  await trading.settle()
  expect((await answer).body.message).toBe('1 of 1 position closed.')
  expect((await trading.call('POST', '/api/positions/close-all', {}, 'k'.repeat(200))).body.message).toBe(
    'No open positions.',
  )
})

test('[POS-22] what close all could not close is refused with its reason', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  await trading.call('POST', '/api/trading-state', { state: 'HALTED' })
  const { body } = await trading.call('POST', '/api/positions/close-all', {})
  expect(body.message).toBe('0 of 1 position closed. 1 not closed.')
  expect(body.rows[0]).toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining('Trading is halted.'),
  })
})

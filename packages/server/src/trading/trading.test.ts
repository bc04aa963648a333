import { standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import type { FastifyInstance } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#trading/runtime/in-memory-desk.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { addTradingApp } from './app.ts'

let desk: InMemoryDesk
let app: FastifyInstance

beforeEach(async () => {
  desk = await openInMemoryDesk()
  app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007' })
  quote(50_000)
})

const instruments = standardInstruments()

function quote(price: number): void {
  desk.accept(aQuote(instruments, { bid: price - 0.5, ask: price + 0.5, at: wallClock.now() }))
}

/** Venue and engine talk through the clock's ticks: a few quotes let them finish. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    quote(50_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function call(method: 'GET' | 'POST' | 'DELETE' | 'PATCH', url: string, body?: object, key?: string) {
  const headers = { ...(key && { 'idempotency-key': key }) }
  const reply = await app.inject({ method, url, headers, ...(body && { payload: body }) })
  return { status: reply.statusCode, body: reply.json() }
}

const market = (quantity: number) => ({
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'MARKET',
  quantity,
  price: 0,
})
const limit = (price: number | null) => ({
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: 0.1,
  price,
})

test('[CALL-8] [CALL-36] engine info says who trades and that it runs, at both addresses', async () => {
  const info = {
    trader_id: 'TRADER-007',
    engine_type: 'embedded',
    status: 'running',
    is_running: true,
    strategies_count: 0,
  }
  expect(await call('GET', '/api/engine/info')).toMatchObject({ status: 200, body: info })
  expect(await call('GET', '/api/nautilus/engine/info')).toMatchObject({ status: 200, body: info })
})

test('[CALL-63] engine info has the start time and an id that is new with every start', async () => {
  const { instance_id, started_at } = (await call('GET', '/api/engine/info')).body
  expect(Math.abs(Date.parse(started_at) - Date.now())).toBeLessThan(60_000)
  expect((await call('GET', '/api/nautilus/engine/info')).body).toMatchObject({ instance_id, started_at })
  const again = createHttpApp({ logger: silentLog })
  addTradingApp(again, { desk, traderId: 'TRADER-007' })
  expect((await again.inject('/api/engine/info')).json().instance_id).not.toBe(instance_id)
})

test.each([
  '/api/orders',
  '/api/positions',
  '/api/positions/closed',
  '/api/fills',
  '/api/account',
  '/api/risk/metrics',
  '/api/engine/info',
])('[CALL-60] %s says to which journal entry and time it belongs', async (url) => {
  await call('POST', '/api/orders', limit(40_000))
  const { journal_seq, as_of } = (await call('GET', url)).body
  expect(journal_seq).toBe(desk.rows.revision)
  expect(new Date(as_of).toISOString()).toBe(as_of)
})

test('[CALL-59] an order is read by its id', async () => {
  await call('POST', '/api/orders', limit(40_000))
  expect(await call('GET', '/api/orders/O-1')).toMatchObject({
    status: 200,
    body: { id: 'O-1', price: 40_000 },
  })
  expect(await call('GET', '/api/orders/O-2')).toMatchObject({
    status: 404,
    body: { detail: "There is no order 'O-2'. GET /api/orders lists them." },
  })
})

test('[CALL-14][CALL-15] [CALL-39][CALL-16][CALL-17] a market order fills, becomes a position and is closed', async () => {
  const placed = await call('POST', '/api/orders', market(0.1))
  expect(placed).toMatchObject({ status: 201, body: { id: 'O-1', status: 'FILLED', price: null } })
  await settle()
  expect((await call('GET', '/api/orders')).body.orders).toMatchObject([
    { id: 'O-1', status: 'FILLED', filled_qty: 0.1, average_price: 50_000.5 },
  ])
  const { positions } = (await call('GET', '/api/positions')).body
  expect(positions).toMatchObject([
    { side: 'LONG', quantity: 0.1, entry_price: 50_000.5, current_price: 50_000, unrealized_pnl: -0.05 },
  ])
  expect(positions[0]).toMatchObject({ strategy: 'MANUAL' })
  expect(positions[0]).not.toHaveProperty('strategy_name')
  expect((await call('GET', '/api/risk/metrics')).body).toMatchObject({
    total_exposure: 5000,
    position_count: 1,
  })
  expect((await call('POST', `/api/positions/${positions[0].id}/close`)).status).toBe(200)
  await settle()
  expect((await call('GET', '/api/positions')).body.positions).toEqual([])
})

test('[CALL-74] a LIMIT and a STOP that filled have the average fill price, the fee and the time, beside their own price', async () => {
  // A buy limit above the market takes the ask; the stop is triggered by a lower market and takes the bid.
  await call('POST', '/api/orders', limit(50_100))
  await settle()
  await call('POST', '/api/orders', { ...limit(49_000), type: 'STOP', side: 'SELL' })
  for (let turn = 0; turn < 4; turn++) {
    quote(48_900)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const listed = (await call('GET', '/api/orders')).body.orders
  expect(listed).toMatchObject([
    // 0.04 % of 0.1 × 48,899.5.
    { id: 'O-2', type: 'STOP', status: 'FILLED', price: 49_000, average_price: 48_899.5, fees: 1.95598 },
    { id: 'O-1', type: 'LIMIT', status: 'FILLED', price: 50_100, average_price: 50_000.5, fees: 2.00002 },
  ])
  for (const { created_at, updated_at } of listed) {
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at))
  }
  expect((await call('GET', '/api/account')).body.fees).toBe(3.956)
})

test('[CALL-57] [CALL-62] the risk metrics and the account call have the account: equity, cash, capital, the day, fees and funding', async () => {
  await call('POST', '/api/orders', market(0.1))
  await settle()
  const { account } = (await call('GET', '/api/risk/metrics')).body
  expect((await call('GET', '/api/account')).body).toMatchObject(account)
  // Bought at 50,000.5 with a fee of 0.04 %, marked at 50,000.
  expect(account).toEqual({
    equity: 99_997.94998,
    cash: 94_997.94998,
    starting_capital: 100_000,
    day_pnl: -2.05002,
    realized_pnl: 0,
    unrealized_pnl: -0.05,
    fees: 2.00002,
    funding: 0,
  })
})

test('[CALL-17] a close that is refused is no success, and says why', async () => {
  await call('POST', '/api/orders', market(0.1))
  await settle()
  const [{ id }] = (await call('GET', '/api/positions')).body.positions
  await call('POST', '/api/trading-state', { state: 'HALTED' })
  expect(await call('POST', `/api/positions/${id}/close`)).toMatchObject({
    status: 409,
    body: {
      code: 'engine.refused',
      detail:
        'The position stays open. Trading is halted. To accept orders again, use Resume Trading or Reduce Only on the Risk Management screen.',
    },
  })
  expect((await call('GET', '/api/positions')).body.positions).toHaveLength(1)
})

test('a POST is seen by the next GET', async () => {
  await call('POST', '/api/orders', limit(40_000))
  expect((await call('GET', '/api/orders')).body.orders).toMatchObject([{ id: 'O-1', status: 'PENDING' }])
})

test('[ORD-14] an order over a limit is an order, REJECTED with the numbers', async () => {
  const { status, body } = await call('POST', '/api/orders', market(10))
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
  await call('POST', '/api/orders', market(0.011))
  const { status, body } = await call('POST', '/api/orders', { ...market(0.012), side: 'SELL' })
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
  await call('POST', '/api/orders', market(0.1))
  const stop = { ...limit(50_100), type: 'STOP', side: 'SELL' }
  const { status, body } = await call('POST', '/api/orders', stop)
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
  const { id } = (await call('POST', '/api/orders', { ...stop, price: 40_000 })).body
  const moved = await call('PATCH', `/api/orders/${id}`, { price: 50_100 })
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
  const { status, body } = await call('POST', '/api/orders', order)
  expect(status).toBe(422)
  expect(body).toMatchObject({ code: 'order.malformed', errors: [{ field }] })
  expect(body.detail).toContain(words)
  expect((await call('GET', '/api/orders')).body.orders).toEqual([])
})

test('a repeated POST with the same key gives the first order again', async () => {
  const first = await call('POST', '/api/orders', limit(40_000), 'key-1')
  const again = await call('POST', '/api/orders', limit(40_000), 'key-1')
  expect(again.body.id).toBe(first.body.id)
  expect((await call('GET', '/api/orders')).body.orders).toHaveLength(1)
})

test('[ORD-38] an order is found by its key, and a key without an order is 404', async () => {
  await call('POST', '/api/orders', limit(40_000), 'a key/1')
  expect(await call('GET', '/api/orders/by-key/a%20key%2F1')).toMatchObject({
    status: 200,
    body: { id: 'O-1', status: 'PENDING', price: 40_000 },
  })
  expect(await call('GET', '/api/orders/by-key/other')).toMatchObject({
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
  const refused = await call('POST', '/api/orders', limit(40_000), old)
  expect(refused).toMatchObject({ status: 409, body: { code: 'key.too-old' } })
  expect(refused.body.detail).toContain('created 48 hours ago; at most 24 are accepted, and nothing was done')
  expect((await call('GET', '/api/orders')).body.orders).toEqual([])
  expect((await call('POST', '/api/orders', limit(40_000), uuid(wallClock.now()))).status).toBe(201)
})

test('[CALL-15] a pending order is changed and cancelled, a cancelled one is neither', async () => {
  await call('POST', '/api/orders', limit(40_000))
  await settle()
  expect((await call('PATCH', '/api/orders/O-1', { price: 41_000 })).status).toBe(200)
  await settle()
  expect((await call('GET', '/api/orders')).body.orders).toMatchObject([{ price: 41_000 }])
  expect((await call('DELETE', '/api/orders/O-1')).status).toBe(200)
  await settle()
  expect((await call('GET', '/api/orders')).body.orders).toMatchObject([{ status: 'CANCELLED' }])
  expect(await call('DELETE', '/api/orders/O-1')).toMatchObject({
    status: 409,
    body: { code: 'order.not-pending', detail: 'Order O-1 is already cancelled.' },
  })
  expect((await call('DELETE', '/api/orders/O-99')).status).toBe(404)
})

test('lists take a limit, a status and a cursor', async () => {
  for (const price of [40_000, 40_001, 40_002]) await call('POST', '/api/orders', limit(price))
  await call('POST', '/api/orders', market(10))
  const ids = async (query: string) =>
    (await call('GET', `/api/orders${query}`)).body.orders.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual(['O-4', 'O-3', 'O-2', 'O-1'])
  expect(await ids('?limit=2')).toEqual(['O-4', 'O-3'])
  expect(await ids('?limit=2&cursor=O-3')).toEqual(['O-2', 'O-1'])
  expect(await ids('?status=REJECTED')).toEqual(['O-4'])
  expect((await call('GET', '/api/orders?limit=0')).status).toBe(422)
})

test('[CALL-65] limits that somebody else changed are not overwritten by a save with their old version', async () => {
  const limits = { max_order_size: 1000, max_position_size: 2000, max_daily_loss: 500, max_positions: 1 }
  const url = '/api/risk/limits'
  const save = (ifMatch: string, max_positions: number) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'if-match': ifMatch },
      payload: { ...limits, max_positions },
    })
  const etag = String((await app.inject(url)).headers.etag)
  // Both saves are made for the same version; only one may win.
  const [first, second] = await Promise.all([save(etag, 2), save(etag, 3)])
  expect([first.statusCode, second.statusCode]).toEqual([200, 412])
  expect(second.json()).toMatchObject({ code: 'version.changed', title: 'It was changed in the meantime' })
  const current = await app.inject(url)
  expect(current.json()).toMatchObject({ max_positions: 2 })
  expect(current.headers.etag).toBe(first.headers.etag)
  expect((await save(`"other", ${current.headers.etag}`, 4)).statusCode).toBe(200)
  expect((await save('*', 5)).statusCode).toBe(200)
  expect((await save(`W/${current.headers.etag}`, 6)).statusCode).toBe(412)
  expect((await call('POST', url, limits)).status).toBe(200)
})

test('[CALL-38] limits are saved and bite at once', async () => {
  const limits = { max_order_size: 1000, max_position_size: 2000, max_daily_loss: 500, max_positions: 1 }
  expect(await call('POST', '/api/risk/limits', limits)).toEqual({ status: 200, body: limits })
  expect((await call('GET', '/api/risk/limits')).body).toEqual(limits)
  expect((await call('POST', '/api/orders', market(0.1))).body).toMatchObject({ status: 'REJECTED' })
  expect((await call('POST', '/api/risk/limits', { ...limits, max_positions: -1 })).status).toBe(422)
})

test('[RISK-23] a limit too large to be one is refused with what is wrong and what is allowed', async () => {
  const limits = { max_order_size: 1e308, max_position_size: 2000, max_daily_loss: 500, max_positions: 1 }
  const message = "Max Order Size cannot be '1e+308'; it must be less than 1e32."
  expect(await call('POST', '/api/risk/limits', limits)).toMatchObject({
    status: 422,
    body: { code: 'request.invalid', detail: message, errors: [{ field: 'body.max_order_size', message }] },
  })
})

test('halted trading refuses orders, accepts cancels and resumes only on request', async () => {
  await call('POST', '/api/orders', limit(40_000))
  await settle()
  const halted = await call('POST', '/api/trading-state', { state: 'HALTED', note: 'lunch' })
  expect(halted.body).toMatchObject({ state: 'HALTED', reason: 'Set by hand: lunch.' })
  expect((await call('POST', '/api/orders', market(0.1))).body).toMatchObject({
    status: 'REJECTED',
    reason: { code: 'trading.halted' },
  })
  await call('POST', '/api/trading-state', { state: 'ACTIVE' })
  expect((await call('POST', '/api/orders', market(0.1))).body).toMatchObject({ status: 'FILLED' })
})

test('[RISK-23] a day that lost too much reduces trading, and says so in the words of the risk screen', async () => {
  const limits = { max_order_size: 10_000, max_position_size: 50_000, max_daily_loss: 50, max_positions: 10 }
  await call('POST', '/api/risk/limits', limits)
  await call('POST', '/api/orders', market(0.1))
  await settle()
  quote(49_000)
  await settle()
  const { body } = await call('GET', '/api/trading-state')
  expect(body.state).toBe('REDUCING')
  expect(body.reason).toMatch(/^Today's loss of 10\d\.\d\d reached the Max Daily Loss of 50\.00\.$/)
})

test('[CALL-9] a stopped component shows, has its consequence and starts again', async () => {
  expect((await call('POST', '/api/component/stop', { component: 'RiskEngine' })).body.message).toBe(
    'RiskEngine stopped',
  )
  const components = (await call('GET', '/api/nautilus/system-info')).body.components
  expect(components).toContainEqual({
    id: 'RiskEngine',
    name: 'RiskEngine',
    type: 'Engine',
    status: 'stopped',
    config: {},
  })
  expect((await call('POST', '/api/orders', market(0.1))).body).toMatchObject({
    status: 'REJECTED',
    reason: { code: 'component.down' },
  })
  await call('POST', '/api/nautilus/initialize', {})
  expect((await call('POST', '/api/orders', market(0.1))).body).toMatchObject({ status: 'FILLED' })
  expect((await call('POST', '/api/nautilus/components/Nothing/stop')).status).toBe(404)
})

test('[COMP-5] [COMP-8] a component lists its settings, accepts known ones and refuses others by name', async () => {
  const configure = (component: string, config: object) =>
    call('POST', '/api/component/configure', { component, config })
  expect(await configure('DataEngine', { stale_after_s: 30 })).toMatchObject({
    status: 200,
    body: { message: 'DataEngine configured' },
  })
  const [data, execution] = (await call('GET', '/api/nautilus/system-info')).body.components
  expect([data.config, execution.config]).toEqual([{ stale_after_s: 30 }, {}])
  const sentence = "Unknown setting 'size'. Available: none."
  expect(await configure('Cache', { size: 3 })).toMatchObject({
    status: 422,
    body: {
      code: 'request.invalid',
      detail: `Cache: ${sentence}`,
      errors: [{ field: 'body.config.size', message: sentence }],
    },
  })
})

test('[CALL-9] [CALL-37] instruments carry their tick, lot and fees', async () => {
  const { instruments } = (await call('GET', '/api/instruments')).body
  expect(instruments[0]).toMatchObject({
    id: 'BTCUSDT',
    venue: 'BINANCE',
    kind: 'spot',
    tick_size: 0.01,
    lot_size: 0.00001,
    taker_fee: 0.0004,
  })
})

test('[ORD-56] a preview says price, cost, fee, margin and limit use, and places nothing', async () => {
  const { status, body } = await call('POST', '/api/orders/preview', market(0.1))
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
  expect((await call('GET', '/api/orders')).body.orders).toEqual([])
  const placed = (await call('POST', '/api/orders', market(0.1))).body
  await settle()
  const order = (await call('GET', `/api/orders/${placed.id}`)).body
  expect(order).toMatchObject({ average_price: body.fill.price, fees: body.fill.fee })
  expect((await call('GET', '/api/risk/metrics')).body.margin_used).toBe(body.margin.after)
})

test('[ORD-57] a preview of an order that would be denied has the reason with its numbers', async () => {
  const { status, body } = await call('POST', '/api/orders/preview', market(1))
  expect(status).toBe(200)
  expect(body.denied).toMatchObject({ code: 'limit.order-size', numbers: { value: 50_000.5, limit: 10_000 } })
  expect(await call('POST', '/api/orders/preview', limit(0))).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'body.price' }] },
  })
})

import { standardInstruments } from '@binnacle/engine'
import { aQuote, aTrade } from '@binnacle/engine/testkit'
import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { addTradingApp } from './app.ts'

let desk: InMemoryDesk
let app: FastifyInstance
let now: number

beforeEach(async () => {
  desk = await openInMemoryDesk()
  app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007', warmStrategy: async (id) => `Warmed ${id}.` })
  now = wallClock.now()
})

const instruments = standardInstruments()

/** One second of the market with a trade in it. */
function second(price: number): void {
  now += 1_000
  // The builders take whole milliseconds for what they are.
  const at = now as ReturnType<typeof wallClock.now>
  desk.accept(aQuote(instruments, { bid: price - 0.5, ask: price + 0.5, at }))
  desk.accept(aTrade(instruments, { price, at }))
}

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, key?: string) {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: reply.statusCode, body: reply.json() }
}

const QUICK = { instrument: 'BTCUSDT', fast_bars: 1, slow_bars: 2, threshold_bps: 0 }

async function addTrend(config: object = QUICK): Promise<string> {
  const newStrategy = { name: 'Trend', type: 'momentum', description: 'Follows', config }
  const { status, body } = await call('POST', '/api/strategies', newStrategy)
  expect(status).toBe(201)
  return body.id
}

const listed = async () => (await call('GET', '/api/strategies')).body.strategies

describe('life', () => {
  test('[CALL-10][CALL-11] what is added, started, stopped and deleted shows so in the next list', async () => {
    expect(await listed()).toEqual([])
    const id = await addTrend()
    expect(await listed()).toMatchObject([
      {
        id: 'S-1',
        name: 'Trend',
        type: 'momentum',
        description: 'Follows',
        status: 'stopped',
        config: { ...QUICK, interval: '1s', order_value: 300 },
        performance: { total_pnl: 0, total_trades: 0, win_rate: 0 },
      },
    ])
    expect((await call('POST', `/api/strategies/${id}/start`)).body).toEqual({
      message: 'Trend started. Warmed S-1.',
    })
    expect(await listed()).toMatchObject([{ status: 'running', note: 'Warming up: 0 of 2 bars' }])
    expect((await call('POST', `/api/strategies/${id}/start`)).body.message).toBe('Trend is already running')
    expect((await call('POST', `/api/strategies/${id}/stop`)).body.message).toBe('Trend stopped')
    expect(await listed()).toMatchObject([{ status: 'stopped', note: null }])
    expect(await call('DELETE', `/api/strategies/${id}`)).toEqual({
      status: 200,
      body: { message: 'Trend deleted' },
    })
    expect(await listed()).toEqual([])
    expect((await call('GET', '/api/engine/info')).body.strategies_count).toBe(0)
  })

  test('[CALL-33] an add that is repeated with its key adds one strategy, whichever path it takes', async () => {
    const newStrategy = { name: 'Trend', type: 'momentum', description: '', config: QUICK }
    const first = await call('POST', '/api/strategies', newStrategy, 'once')
    expect(await call('POST', '/api/strategies', newStrategy, 'once')).toEqual(first)
    expect(await call('POST', '/api/nautilus/strategies', newStrategy, 'once')).toEqual(first)
    expect(await listed()).toHaveLength(1)
    expect((await call('POST', '/api/strategies', { ...newStrategy, name: 'Other' }, 'twice')).body.id).toBe(
      'S-2',
    )
    await call('DELETE', '/api/strategies/S-1')
    expect(await call('POST', '/api/strategies', newStrategy, 'once')).toMatchObject({
      status: 404,
      body: { detail: 'Strategy S-1, which this key added, was deleted since.' },
    })
    expect(await listed()).toMatchObject([{ id: 'S-2' }])
    expect(await call('POST', '/api/strategies', newStrategy, 'k'.repeat(201))).toMatchObject({
      status: 422,
      body: { code: 'request.invalid', errors: [{ field: 'header.idempotency-key' }] },
    })
  })

  test('[CALL-12] the nautilus paths act on the same strategies', async () => {
    const newStrategy = { name: 'Quotes', type: 'market_making', description: '', config: {} }
    const added = await call('POST', '/api/nautilus/strategies', newStrategy)
    expect(added).toMatchObject({ status: 201, body: { id: 'S-1', status: 'stopped' } })
    expect((await call('GET', '/api/nautilus/strategies')).body.strategies).toEqual(await listed())
    expect((await call('GET', '/api/nautilus/strategies/S-1')).body).toEqual((await listed())[0])
    expect(await call('GET', '/api/nautilus/strategies/S-9')).toMatchObject({
      status: 404,
      body: { code: 'thing.unknown', detail: "There is no strategy 'S-9'." },
    })
    expect((await call('GET', '/api/engine/info')).body.strategies_count).toBe(1)
  })

  test('[STRAT-16] [STRAT-25] [STRAT-61] it trades, its figures show so, and it is not deleted while it holds something', async () => {
    const id = await addTrend()
    await call('POST', `/api/strategies/${id}/start`)
    for (const price of [50_000, 50_100, 50_200, 50_300, 50_400]) second(price)
    await desk.idle()
    const [running] = await listed()
    expect(running.performance).toMatchObject({ fills: 1, open_positions: 1, total_trades: 0 })
    expect(running.performance.total_pnl).toBeCloseTo(
      Number(running.performance.net_realized_pnl) + running.performance.unrealized_pnl,
      6,
    )
    expect((await call('GET', '/api/orders')).body.orders).toMatchObject([
      { strategy: 'S-1', status: 'FILLED', side: 'BUY' },
    ])
    expect((await call('GET', '/api/positions')).body.positions).toMatchObject([
      { id: 'P-1', strategy: 'S-1', strategy_name: 'Trend' },
    ])
    const { lines } = (await call('GET', `/api/strategies/${id}/log`)).body
    expect(lines).toMatchObject([
      {
        kind: 'order',
        event: 'order submitted',
        by: null,
        order: { id: 'O-1', instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET' },
        intent: { type: 'target' },
      },
      { kind: 'state', event: 'started', by: 'local' },
      { kind: 'state', event: 'added', by: 'local' },
    ])
    const refused = await call('DELETE', `/api/strategies/${id}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'strategy.holds' } })
    expect(refused.body.detail).toMatch(
      /^Strategy "Trend" \(S-1\) holds long 0\.005\d* BTCUSDT \(P-1\)\. Stop it, then close what it holds on the Positions screen, and try again\.$/,
    )
    await call('POST', `/api/strategies/${id}/stop`)
    expect((await listed())[0]).toMatchObject({
      status: 'stopped',
      note: 'Stopped with an open position.',
    })
    const stopped = await call('DELETE', `/api/strategies/${id}`)
    expect(stopped.body.detail).toMatch(
      /BTCUSDT \(P-1\)\. Close what it holds on the Positions screen, and try again\.$/,
    )
    await call('POST', '/api/positions/P-1/close')
    second(50_400)
    await desk.idle()
    expect((await listed())[0].performance).toMatchObject({ fills: 2, total_trades: 1, open_positions: 0 })
    expect((await call('DELETE', `/api/strategies/${id}`)).status).toBe(200)
  })

  test('[STRAT-39] a name that another strategy has, in any case, is refused at the field', async () => {
    await addTrend()
    for (const name of ['Trend', 'TREND', 'Manual']) {
      const other = { name, type: 'momentum', description: '', config: {} }
      expect(await call('POST', '/api/strategies', other)).toMatchObject({
        status: 422,
        body: { code: 'strategy.refused', errors: [{ field: 'body.name' }] },
      })
    }
    const { body } = await call('POST', '/api/strategies', {
      name: 'trend',
      type: 'momentum',
      description: '',
      config: {},
    })
    expect(body.detail).toBe('The name "trend" is already used by strategy S-1. Choose another name.')
    await call('DELETE', '/api/strategies/S-1')
    await addTrend()
  })

  test('[STRAT-40] [STRAT-41] a deleted one keeps its name in orders and its result in the list of deleted ones', async () => {
    const id = await addTrend()
    await call('POST', `/api/strategies/${id}/start`)
    for (const price of [50_000, 50_100, 50_200, 50_300, 50_400]) second(price)
    await desk.idle()
    await call('POST', `/api/strategies/${id}/stop`)
    await call('POST', '/api/positions/P-1/close')
    second(50_400)
    await desk.idle()
    const [{ performance }] = await listed()
    await call('DELETE', `/api/strategies/${id}`)
    const named = { strategy: 'S-1', strategy_name: 'Trend' }
    expect((await call('GET', '/api/orders')).body.orders).toMatchObject([named, named])
    expect((await call('GET', '/api/strategies/deleted')).body.strategies).toMatchObject([
      {
        id: 'S-1',
        name: 'Trend',
        type: 'momentum',
        performance: { total_pnl: Number(performance.net_realized_pnl), total_trades: 1, fills: 2 },
      },
    ])
  })

  test('[STRAT-38] one whose orders are all denied says what denies them', async () => {
    const id = await addTrend({ ...QUICK, order_value: 20_000 })
    await call('POST', `/api/strategies/${id}/start`)
    for (const price of [50_000, 50_100, 50_200, 50_300]) second(price)
    await desk.idle()
    const [{ status, orders_denied }] = await listed()
    expect(status).toBe('running')
    expect(orders_denied).toMatchObject({ count: 1, name: 'Max Order Size' })
    expect(orders_denied.next_try_at).toMatch(/^\d{4}-.*Z$/)
  })

  test('one with working orders is stopped and deleted in one go', async () => {
    const config = { instrument: 'BTCUSDT' }
    await call('POST', '/api/strategies', { name: 'Quotes', type: 'market_making', description: '', config })
    await call('POST', '/api/strategies/S-1/start')
    second(50_000)
    await desk.idle()
    expect((await listed())[0].performance.working_orders).toBe(1)
    expect((await call('DELETE', '/api/strategies/S-1')).status).toBe(200)
    expect(await listed()).toEqual([])
    expect((await call('GET', '/api/orders')).body.orders).toMatchObject([{ status: 'CANCELLED' }])
  })
})

describe('settings', () => {
  test('[STRAT-19] other ones are checked, recorded and shown', async () => {
    const id = await addTrend()
    const changed = await call('PUT', `/api/strategies/${id}`, { config: { ...QUICK, slow_bars: 9 } })
    expect(changed).toMatchObject({ status: 200, body: { config: { slow_bars: 9, fast_bars: 1 } } })
    const refused = await call('PUT', `/api/strategies/${id}`, { config: { slow_bars: 1 } })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'strategy.refused',
        detail: "Slow average (bars) must be a whole number from 2 to 5000; '1' was given.",
        errors: [{ field: 'body.config.slow_bars' }],
      },
    })
    expect((await listed())[0].config.slow_bars).toBe(9)
    expect((await call('PUT', '/api/strategies/S-7', { config: {} })).status).toBe(404)
    expect((await call('PUT', `/api/strategies/${id}`, { config: {}, name: 'x' })).status).toBe(422)
  })

  test.each([
    ['momentum', { speed: 3 }, 'body.config.speed'],
    ['momentum', { instrument: 'DOGEUSDT' }, 'body.config.instrument'],
    ['custom', {}, 'body.type'],
  ])('[STRAT-19] %s with %j is refused and names the field', async (type, config, field) => {
    const refused = await call('POST', '/api/strategies', { name: 'x', type, description: '', config })
    expect(refused).toMatchObject({ status: 422, body: { code: 'strategy.refused', errors: [{ field }] } })
    expect(await listed()).toEqual([])
  })

  test('[STRAT-35] every kind lists its settings with a label, bounds, defaults and a sentence each', async () => {
    const { strategy_types: types } = (await call('GET', '/api/strategy-types')).body
    expect(types.map(({ type }: { type: string }) => type)).toEqual([
      'momentum',
      'mean_reversion',
      'arbitrage',
      'market_making',
    ])
    expect(types[0].parameters).toContainEqual({
      name: 'fast_bars',
      label: 'Fast average (bars)',
      kind: 'integer',
      sentence: 'Length of the fast average, in bars.',
      default: 20,
      min: 1,
      max: 1000,
    })
  })

  test('[STRAT-36] an instrument and an interval list the allowed values', async () => {
    const { strategy_types: types } = (await call('GET', '/api/strategy-types')).body
    const allowedOf = (type: number, name: string) =>
      types[type].parameters.find((parameter: { name: string }) => parameter.name === name).allowed
    expect(allowedOf(0, 'interval')).toEqual(['1s', '5s', '15s', '1m', '5m', '15m', '1h', '4h', '1d'])
    const instruments: { id: string }[] = (await call('GET', '/api/instruments')).body.instruments
    expect(allowedOf(0, 'instrument')).toEqual(instruments.map(({ id }) => id))
    expect(allowedOf(2, 'instruments')).toEqual(allowedOf(0, 'instrument'))
    expect(allowedOf(0, 'fast_bars')).toBeUndefined()
  })
})

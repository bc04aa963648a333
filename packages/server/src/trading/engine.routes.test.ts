import { createMemoryJournal, type Journal } from '@binnacle/engine'
import { beforeEach, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { limit, market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'
import { addTradingApp } from './app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('[CALL-8] [CALL-36] engine info says who trades and that it runs, at both addresses', async () => {
  const info = {
    trader_id: 'TRADER-007',
    engine_type: 'embedded',
    status: 'running',
    is_running: true,
    strategies_count: 0,
  }
  expect(await trading.call('GET', '/api/engine/info')).toMatchObject({ status: 200, body: info })
  expect(await trading.call('GET', '/api/nautilus/engine/info')).toMatchObject({ status: 200, body: info })
})

test('[CALL-63] engine info has the start time and an id that is new with every start', async () => {
  const { instance_id, started_at } = (await trading.call('GET', '/api/engine/info')).body
  expect(Math.abs(Date.parse(started_at) - Date.now())).toBeLessThan(60_000)
  expect((await trading.call('GET', '/api/nautilus/engine/info')).body).toMatchObject({
    instance_id,
    started_at,
  })
  const again = createHttpApp({ logger: silentLog })
  addTradingApp(again, { desk: trading.desk, traderId: 'TRADER-007' })
  expect((await again.inject('/api/engine/info')).json().instance_id).not.toBe(instance_id)
})

test('[SHELL-61] engine info counts what runs, works and is open', async () => {
  const counts = async () => (await trading.call('GET', '/api/engine/info')).body.counts
  expect(await counts()).toEqual({ running_strategies: 0, working_orders: 0, open_positions: 0 })
  await trading.call('POST', '/api/orders', limit(40_000))
  await trading.call('POST', '/api/orders', market(0.01))
  expect(await counts()).toEqual({ running_strategies: 0, working_orders: 1, open_positions: 1 })
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
  await trading.call('POST', '/api/orders', limit(40_000))
  const { journal_seq, as_of } = (await trading.call('GET', url)).body
  expect(journal_seq).toBe(trading.desk.views.revision)
  expect(new Date(as_of).toISOString()).toBe(as_of)
})

test('[CALL-9] a stopped component shows, has its consequence and starts again', async () => {
  expect((await trading.call('POST', '/api/component/stop', { component: 'RiskEngine' })).body.message).toBe(
    'RiskEngine stopped',
  )
  const components = (await trading.call('GET', '/api/nautilus/system-info')).body.components
  expect(components).toContainEqual({
    id: 'RiskEngine',
    name: 'RiskEngine',
    type: 'Engine',
    status: 'stopped',
    config: {},
  })
  expect((await trading.call('POST', '/api/orders', market(0.1))).body).toMatchObject({
    status: 'REJECTED',
    reason: { code: 'component.down' },
  })
  await trading.call('POST', '/api/nautilus/initialize', {})
  expect((await trading.call('POST', '/api/orders', market(0.1))).body).toMatchObject({ status: 'FILLED' })
  expect((await trading.call('POST', '/api/nautilus/components/Nothing/stop')).status).toBe(404)
})

test('[CALL-300] a start of the engine answers with the first refusal, and with the state that it left', async () => {
  const memory = createMemoryJournal()
  let isDiskFull = false
  const journal: Journal = {
    ...memory,
    append: (drafts) => (isDiskFull ? Promise.reject(new Error('disk full')) : memory.append(drafts)),
  }
  const desk = await openInMemoryDesk({ journal })
  const app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007' })
  const initialize = async () => {
    const reply = await app.inject({ method: 'POST', url: '/api/nautilus/initialize', payload: {} })
    return { status: reply.statusCode, body: reply.json() }
  }
  expect((await initialize()).body.message).toBe('The engine is already running')
  await desk.submit({ type: 'StopComponent', component: 'RiskEngine' })
  expect((await initialize()).body.message).toBe('The engine is running')
  await desk.submit({ type: 'StopComponent', component: 'RiskEngine' })
  isDiskFull = true
  await desk.submit({ type: 'StopComponent', component: 'Cache' }).catch(() => {})
  expect(await initialize()).toMatchObject({ status: 503, body: { code: 'engine.halted' } })
  isDiskFull = false
  await desk.recover()
  expect((await initialize()).body.message).toBe('The engine is running')
})

test('[COMP-5] [COMP-8] a component lists its settings, accepts known ones and refuses others by name', async () => {
  const configure = (component: string, config: object) =>
    trading.call('POST', '/api/component/configure', { component, config })
  expect(await configure('DataEngine', { stale_after_s: 30 })).toMatchObject({
    status: 200,
    body: { message: 'DataEngine configured' },
  })
  const [data, execution] = (await trading.call('GET', '/api/nautilus/system-info')).body.components
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
  const { instruments } = (await trading.call('GET', '/api/instruments')).body
  expect(instruments[0]).toMatchObject({
    id: 'BTCUSDT',
    venue: 'BINANCE',
    kind: 'spot',
    tick_size: 0.01,
    lot_size: 0.00001,
    taker_fee: 0.0004,
  })
})

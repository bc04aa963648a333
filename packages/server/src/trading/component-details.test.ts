import type { ComponentDetail } from '@binnacle/contract'
import { standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import { afterAllTests } from '@binnacle/stores/testkit'
import { beforeAll, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addComponentRoutes } from './engine.routes.ts'
import { startAuditProjection } from './runtime/audit-projection.ts'
import { wallClock } from './runtime/wall-clock.ts'

const atEnd = afterAllTests()
let desk: InMemoryDesk
let app: ReturnType<typeof createHttpApp>

beforeAll(async () => {
  const { store } = await newAdminStore(atEnd)
  desk = await openInMemoryDesk()
  const projection = startAuditProjection({ desk, audit: store.audit })
  atEnd(() => projection.close(0))
  app = createHttpApp({ logger: silentLog })
  const rate = { name: 'Market', unit: 'trades/s', series: 'rate.trades', per_second: 12.5 }
  addComponentRoutes(app, desk, {
    audit: store.audit,
    waitForAudit: () => projection.waitUntilCurrent(),
    rates: async () => [rate],
  })
})

async function details(id: string): Promise<ComponentDetail | undefined> {
  const { components } = (await app.inject('/api/components')).json()
  return components.find((each: ComponentDetail) => each.id === id)
}

const post = (path: string, payload: object) => app.inject({ method: 'POST', url: path, payload })

test('[COMP-11] [COMP-12] a measured figure is shown, and one that nothing measures has its reason instead', async () => {
  expect(await details('DataEngine')).toMatchObject({
    throughput: { value: 12.5, unit: 'trades/s', series: 'rate.trades' },
    queue: null,
    queue_note: 'no queue',
  })
  expect(await details('RiskEngine')).toMatchObject({
    throughput: null,
    throughput_note: 'counted with the orders',
  })
  expect(await details('Portfolio')).toMatchObject({
    throughput: null,
    throughput_note: 'not measured here',
  })
  expect(await details('ExecutionEngine')).toMatchObject({ queue: { length: 0 } })
})

test('[COMP-13] the history has every change of the status with who made it, and an error has its reason', async () => {
  await post('/api/component/stop', { component: 'Cache' })
  await post('/api/component/start', { component: 'Cache' })
  await desk.submit({ type: 'FailComponent', component: 'Cache', reason: 'out of memory' }, { by: 'server' })
  expect((await details('Cache'))?.last_error).toEqual({ text: 'out of memory' })
  await post('/api/component/restart', { component: 'Cache' })
  const cache = await details('Cache')
  expect(cache?.history.map(({ status, by }) => [status, by])).toEqual([
    ['running', 'local'],
    ['stopped', 'local'],
    ['running', 'local'],
    ['stopped', 'local'],
  ])
  expect(cache?.last_error).toMatchObject({ text: 'It was in error until then.' })
  expect((await details('MessageBus'))?.last_error).toBeNull()
})

test('[COMP-15] a component runs since the server or it was started, and a stopped one has no such time', async () => {
  const since = async () => (await details('Portfolio'))?.running_since
  const fromStart = await since()
  expect(Date.parse(fromStart ?? '')).toBeLessThanOrEqual(Date.now())
  await post('/api/component/stop', { component: 'Portfolio' })
  expect(await since()).toBeUndefined()
  await post('/api/component/start', { component: 'Portfolio' })
  const [latest] = (await details('Portfolio'))?.history ?? []
  expect(latest?.status).toBe('running')
  expect([latest?.at, fromStart]).toContain(await since())
})

test('[COMP-17] the counts have running strategies, working orders, those that add exposure, and positions', async () => {
  const instrument = 'BTCUSDT-PERP'
  desk.accept(
    aQuote(standardInstruments(), { instrument, bid: 49_999.5, ask: 50_000.5, at: wallClock.now() }),
  )
  const buy = { type: 'PlaceOrder', instrument, side: 'BUY', quantity: 0.01 } as const
  await desk.submit({ ...buy, orderType: 'MARKET' })
  await desk.idle()
  const counts = async () => (await app.inject('/api/components')).json().affected
  const resting = { ...buy, orderType: 'LIMIT' } as const
  await desk.submit({ ...resting, price: 40_000 })
  await desk.submit({ ...resting, side: 'SELL', price: 60_000 })
  await desk.submit({ ...resting, side: 'SELL', price: 60_000, quantity: 0.02 })
  expect(await counts()).toEqual({
    running_strategies: 0,
    working_orders: 3,
    adding_orders: 2,
    open_positions: 1,
  })
})

test('[COMP-14] every configuration is a version, from the one as delivered on', async () => {
  for (const stale_after_s of [30, 45])
    await post('/api/component/configure', { component: 'DataEngine', config: { stale_after_s } })
  expect((await details('DataEngine'))?.versions).toMatchObject([
    { version: 2, by: 'local', config: { stale_after_s: 45 } },
    { version: 1, by: 'local', config: { stale_after_s: 30 } },
    { version: 0, config: { stale_after_s: 60 } },
  ])
})

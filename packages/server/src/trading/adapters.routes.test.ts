import type { Adapter } from '@binnacle/contract'
import { NO_SEQ, standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import { afterAllTests } from '@binnacle/stores/testkit'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { recordsOfEntry } from '#services/audit/journal-audit-record.ts'
import { createJobs, type Jobs } from '#services/jobs/job-runner.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { tableContents } from '#testkit/table-contents.ts'
import { openAdapters, readLinkSettings } from './adapters/adapters.ts'
import { addTradingApp } from './app.ts'
import { wallClock } from './runtime/wall-clock.ts'

const instruments = standardInstruments()
const CONFIG = {
  version: 0,
  reconnect_after_s: 1,
  reconnect_max_s: 60,
  faults: { latency_ms: 0, clock_skew_ms: 0, wrong_key: false, missing_symbols: [], dropped: false },
}

const atEnd = afterAllTests()
let store: AdminStore
let file: string
let jobs: Jobs
let desk: InMemoryDesk
let app: ReturnType<typeof createHttpApp>

beforeAll(async () => {
  ;({ store, file } = await newAdminStore(atEnd))
  jobs = createJobs({ store: store.jobs })
  atEnd(() => jobs.close(0))
})

beforeEach(async () => {
  desk = await openInMemoryDesk()
  app = createHttpApp({ logger: silentLog })
  const adapters = openAdapters({ desk, links: desk.adapters, store: store.adapters, jobs })
  addTradingApp(app, { desk, traderId: 'T', adapters })
  quote()
})

function quote(): void {
  desk.accept(aQuote(instruments, { bid: 49_999.5, ask: 50_000.5, at: wallClock.now() }))
}

async function call(method: 'GET' | 'POST' | 'PUT', url: string, body?: object) {
  const reply = await app.inject({ method, url, ...(body && { payload: body }) })
  return { status: reply.statusCode, body: reply.json(), text: reply.body }
}

async function adapter(id: string): Promise<Adapter> {
  const { body } = await call('GET', '/api/adapters')
  return body.adapters.find((each: Adapter) => each.id === id)
}

/** The next version of the configuration of an adapter; the store is shared by the tests. */
async function configure(id: string, change: object) {
  const version = (await adapter(id)).config?.version
  return call('PUT', `/api/adapters/${id}/config`, { ...CONFIG, version, ...change })
}

test('[ADAPT-13] lists the five venues as simulated, with figures, orders and positions', async () => {
  const { body } = await call('GET', '/api/adapters')
  expect(body.adapters.map((each: Adapter) => [each.name, each.type, each.status, each.mode])).toEqual([
    ['Binance', 'Exchange', 'connected', 'simulated'],
    ['Bybit', 'Exchange', 'connected', 'simulated'],
    ['OKX', 'Exchange', 'connected', 'simulated'],
    ['Coinbase', 'Exchange', 'disconnected', 'simulated'],
    ['Interactive Brokers', 'Broker', 'disconnected', 'simulated'],
  ])
  const buy = { type: 'PlaceOrder', instrument: 'BTCUSDT', side: 'BUY', quantity: 0.01 } as const
  await desk.submit({ ...buy, orderType: 'MARKET' })
  await desk.submit({ ...buy, orderType: 'LIMIT', price: 40_000 })
  quote()
  await desk.idle()
  const binance = await adapter('binance')
  expect(binance).toMatchObject({
    state: 'connected',
    reconnects: 0,
    working_orders: [{ instrument: 'BTCUSDT', side: 'BUY', quantity: 0.01 }],
    positions: [{ instrument: 'BTCUSDT', side: 'LONG', quantity: 0.01 }],
    config: { version: 0, has_api_key: false, has_secret: false },
  })
  expect(Date.now() - Date.parse(binance.last_message_at ?? '')).toBeLessThan(60_000)
  expect((await adapter('bybit')).working_orders).toEqual([])
})

test('[ADAPT-14] Toggle connects and disconnects, is audited, and an unknown adapter is named', async () => {
  expect(await call('POST', '/api/adapters/okx/disconnect')).toMatchObject({
    status: 200,
    body: { id: 'okx', status: 'disconnected', state: 'off' },
  })
  expect((await call('POST', '/api/adapters/okx/connect')).body).toMatchObject({ status: 'connected' })
  const records = []
  for await (const entry of desk.entriesAfter(NO_SEQ)) {
    records.push(...recordsOfEntry(entry, instruments))
    if (entry.seq === desk.views.revision) break
  }
  expect(records.map(({ audit, change }) => [audit.action, change.target])).toEqual([
    ['adapters.disconnect', 'OKX'],
    ['adapters.connect', 'OKX'],
  ])
  expect((await call('POST', '/api/adapters/kraken/connect')).body).toMatchObject({
    status: 404,
    detail: "There is no adapter 'kraken'. Available: binance, bybit, okx, coinbase, interactive-brokers.",
  })
})

test('[ADAPT-15] a test reports each step, runs as a job and is the last test of the adapter', async () => {
  const { status, body } = await call('POST', '/api/adapters/coinbase/test')
  expect(status).toBe(200)
  expect(body).toMatchObject({ passed: true, by: 'local' })
  expect(body.steps.map(({ name, result }: { name: string; result: string }) => [name, result])).toEqual([
    ['Connection', 'passed'],
    ['TLS', 'not-applicable'],
    ['Clock', 'passed'],
    ['Key', 'passed'],
    ['Symbols', 'passed'],
    ['Account permissions', 'not-applicable'],
    ['Prices', 'not-applicable'],
    ['Round trip', 'passed'],
  ])
  expect((await adapter('coinbase')).last_test).toEqual(body)
  const [job] = await jobs.list(1)
  expect(job).toMatchObject({ kind: 'adapter.test.coinbase', title: 'Test Coinbase', state: 'done' })
  const [record] = await store.audit.page({ action: 'adapters.test' }, Number.MAX_SAFE_INTEGER, 1)
  expect(record).toMatchObject({ actor: 'local', entity: 'job' })
})

test('[ADAPT-16] credentials are encrypted at rest, never returned and kept when left out', async () => {
  const given = { api_key: 'KEY-4711', secret: 'hunter2-secret' }
  const saved = await configure('okx', given)
  expect(saved).toMatchObject({ status: 200, body: { config: { has_api_key: true, has_secret: true } } })
  const unchanged = await configure('okx', {})
  expect(unchanged.body.config).toMatchObject({ has_api_key: true, has_secret: true, changed_by: 'local' })
  expect(unchanged.body.config.version).toBe(saved.body.config.version + 1)
  const listed = await call('GET', '/api/adapters')
  const log = JSON.stringify(await store.audit.page({}, Number.MAX_SAFE_INTEGER, 100))
  expect(log).toContain('adapters.configure')
  const stored = JSON.stringify(tableContents(file))
  for (const secret of Object.values(given))
    for (const text of [saved.text, unchanged.text, listed.text, log, stored])
      expect(text).not.toContain(secret)
  const removed = await configure('okx', { api_key: '', secret: '' })
  expect(removed.body.config).toMatchObject({ has_api_key: false, has_secret: false })
})

test('[ADAPT-17] a version that was changed meanwhile is refused', async () => {
  const version = (await adapter('binance')).config?.version
  expect((await configure('binance', {})).status).toBe(200)
  expect((await call('PUT', '/api/adapters/binance/config', { ...CONFIG, version })).body).toMatchObject({
    status: 412,
    code: 'version.changed',
  })
})

test.each([
  [{ reconnect_after_s: 60, reconnect_max_s: 5 }, 'body.reconnect_max_s'],
  [{ faults: { ...CONFIG.faults, missing_symbols: ['BTCUSDT.OKX'] } }, 'body.faults.missing_symbols'],
  [{ faults: { ...CONFIG.faults, latency_ms: 2_001 } }, 'body.faults.latency_ms'],
])('[ADAPT-18] an invalid configuration is refused at its field: %o', async (change, field) => {
  const { status, body } = await configure('binance', change)
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ field }])
})

test('[ADAPT-12] faults are stored, act at once and after a restart', async () => {
  await configure('bybit', { faults: { ...CONFIG.faults, dropped: true } })
  await expect.poll(async () => (await adapter('bybit')).status).toBe('disconnected')
  expect(await adapter('bybit')).toMatchObject({ state: 'waiting', config: { faults: { dropped: true } } })
  const { body } = await call('POST', '/api/adapters/bybit/test')
  expect(body).toMatchObject({ passed: false })
  expect((await readLinkSettings(store.adapters)).get('BYBIT')?.faults.isDropped).toBe(true)
  await configure('bybit', {})
})

test('[ADAPT-19] Connect All, Disconnect All and Test All are jobs that report each adapter', async () => {
  await configure('bybit', { faults: { ...CONFIG.faults, dropped: true } })
  const messagesOf = ({ body }: Awaited<ReturnType<typeof call>>) =>
    body.results.map(({ message }: { message: string }) => message)
  expect(messagesOf(await call('POST', '/api/adapters/test-all'))).toEqual([
    'failed: Prices',
    'failed: Connection',
    'failed: Prices',
    'passed',
    'passed',
  ])
  expect(messagesOf(await call('POST', '/api/adapters/connect-all'))).toEqual([
    'connected',
    'not connected yet; it tries again by itself',
    'connected',
    'connected',
    'connected',
  ])
  expect(messagesOf(await call('POST', '/api/adapters/disconnect-all'))).toEqual(
    Array.from({ length: 5 }, () => 'disconnected'),
  )
  const [job] = await jobs.list(1)
  const found = await jobs.find(job?.id ?? 0)
  expect(found).toMatchObject({ title: 'Disconnect all adapters', state: 'done' })
  expect(found?.log.map(({ text }) => text)).toContain('Binance: disconnected')
  await configure('bybit', {})
})

test('[ADAPT-20] a reconnection reconciles orders and positions and says so', async () => {
  const buy = { type: 'PlaceOrder', instrument: 'BTCUSDT', side: 'BUY', quantity: 0.01 } as const
  await desk.submit({ ...buy, orderType: 'MARKET' })
  quote()
  await call('POST', '/api/adapters/binance/disconnect')
  expect((await adapter('binance')).positions).toHaveLength(1)
  await call('POST', '/api/adapters/binance/connect')
  expect((await adapter('binance')).log.map(({ text }) => text)).toContain(
    'Reconciled 0 working orders and 1 position: all agree.',
  )
})

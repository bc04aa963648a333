import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewAdapterConfig } from '@binnacle/contract'
import { idFrom } from '@binnacle/engine'
import { NautilusDesk, NodeClient } from '@binnacle/nautilus'
import { createManualTimers, FakeNode, reach } from '@binnacle/nautilus/testkit'
import { until } from '@binnacle/stores/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { Refused } from '#http/problems.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { openDataFolder } from '#storage/data-folder.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { openAdapters } from './adapters/adapters.ts'
import { addTradingApp } from './app.ts'
import { openNautilusEngine } from './engines/nautilus-engine.ts'
import { openHistoryReader } from './performance/performance-reader.ts'

const instrument = 'BTCUSDT-PERP.BINANCE'
const order = { instrument, side: 'BUY', type: 'MARKET', quantity: 0.1, price: 0 }

let folder: string
let node: FakeNode
let client: NodeClient
let app: ReturnType<typeof createHttpApp>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'naut-api-'))
  const path = join(folder, 'node.sock')
  node = new FakeNode({ socket: path })
  await node.start()
  await node.quote({ instrument })
  client = new NodeClient({ address: { kind: 'socket', path }, timers: createManualTimers() })
  const desk = new NautilusDesk(client)
  await reach(client, () => client.status.state === 'current')
  app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007' })
})

async function call(method: 'GET' | 'POST', url: string, payload?: object) {
  const reply = await app.inject({ method, url, ...(payload && { payload }) })
  return { status: reply.statusCode, body: reply.json() }
}

afterEach(async () => {
  await client.close()
  await node.kill()
  await rm(folder, { recursive: true })
})

test('[NAUT-90] over a node the API names the engine, its trader and its state', async () => {
  expect((await call('GET', '/api/engine/info')).body).toMatchObject({
    engine_type: 'nautilus-sandbox',
    trader_id: 'DESK-001',
    status: 'running',
    account: 'paper',
  })
  await node.disconnect()
  await reach(client, () => client.status.state === 'disconnected')
  expect((await call('GET', '/api/engine/info')).body).toMatchObject({
    status: 'disconnected',
    is_running: false,
  })
  expect(await call('POST', '/api/orders', order)).toMatchObject({
    status: 503,
    body: { code: 'engine.halted' },
  })
})

test('[NAUT-91] what a node cannot do is not offered, and the call says so', async () => {
  const { capabilities } = (await call('GET', '/api/capabilities')).body
  expect(capabilities).toContain('order-control')
  expect(capabilities).toContain('position-exits')
  expect(capabilities).not.toContain('strategy-log')
  expect(await call('POST', '/api/component/stop', { component: 'RiskEngine' })).toMatchObject({
    status: 409,
    body: {
      detail:
        'This engine does not offer stopping, starting or configuring a component of a node; restart the node instead.',
    },
  })
})

test('[NAUT-91] a component that only the node has is shown and not changed', async () => {
  expect(await call('POST', '/api/component/stop', { component: 'OrderEmulator' })).toMatchObject({
    status: 409,
    body: { detail: 'This engine does not offer changing OrderEmulator.' },
  })
})

test("[NAUT-99] over a node the preview of an order is the node's own", async () => {
  expect((await call('GET', '/api/capabilities')).body.capabilities).toContain('order-preview')
  expect(await call('POST', '/api/orders/preview', order)).toMatchObject({
    status: 200,
    body: { fill: { quantity: 0.1, price: 50_001 }, position: { before: 0, after: 0.1 } },
  })
  expect(await call('POST', '/api/orders/preview', { ...order, quantity: 9 })).toMatchObject({
    body: { denied: { code: 'engine.denied', sentence: expect.stringContaining('Max Order Size') } },
  })
  await node.disconnect()
  await reach(client, () => client.status.state === 'disconnected')
  expect(await call('POST', '/api/orders/preview', order)).toMatchObject({
    status: 503,
    body: { code: 'engine.halted' },
  })
})

test('[NAUT-92] over a node orders are placed, listed page by page and read by their ids', async () => {
  const placed = await call('POST', '/api/orders', order)
  expect(placed).toMatchObject({ status: 201, body: { status: 'FILLED', filled_qty: 0.1 } })
  await call('POST', '/api/orders', { ...order, quantity: 9 })
  const [denied, filled] = (await call('GET', '/api/orders')).body.orders
  expect(filled.id).toBe(placed.body.id)
  expect(denied).toMatchObject({ status: 'REJECTED', reason: { code: 'engine.denied' } })
  const { body } = await call('GET', `/api/orders?limit=1&cursor=${denied.id}`)
  expect(body.orders).toMatchObject([{ id: filled.id }])
  expect((await call('GET', `/api/orders/${filled.id}`)).body.average_price).toBe(50_001)
  const { positions } = (await call('GET', '/api/positions')).body
  expect(positions).toMatchObject([{ instrument, side: 'LONG', quantity: 0.1 }])
  expect((await call('POST', `/api/positions/${positions[0].id}/close`)).status).toBe(200)
})

test('[NAUT-102] Performance Analytics over a node counts its fills and closed positions', async () => {
  const desk = new NautilusDesk(client)
  for (const side of ['BUY', 'SELL', 'SELL', 'BUY'] as const) {
    await desk.submit({ type: 'PlaceOrder', instrument, side, orderType: 'MARKET', quantity: 0.1 })
  }
  const reader = openHistoryReader(desk)
  const range = { from: 0, to: Number.MAX_SAFE_INTEGER }
  const { trades, costs, instruments } = await reader.summarise({ ...range, rollingFrom: 0 })
  const { fees } = desk.views.account()
  expect(trades).toMatchObject({ count: 2 })
  expect(costs).toMatchObject({ fills: 4, measuredFills: 0, fees, funding: 0 })
  expect(instruments).toMatchObject([{ instrument, trades: 2, fees }])
  const first = await reader.page({ ...range, limit: 1 })
  expect(first.rows).toMatchObject([{ side: 'SHORT' }])
  const second = await reader.page({ ...range, limit: 1, before: first.next })
  expect(second).toMatchObject({ rows: [{ side: 'LONG' }], next: undefined })
  expect((await reader.page({ ...range, limit: 1, strategy: 'other' })).rows).toEqual([])
})

test('[NAUT-103] [NAUT-105] [NAUT-165] a node that runs elsewhere is joined, with its past minutes, and not ended', async () => {
  await client.close()
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  const bar = { open: '50000', high: '50010', low: '49990', close: '50005', volume: '1.5' }
  const startOf = (back: number) => `${String(minute - back * 60_000)}000000`
  node.pastBars.set(instrument, [
    { ...bar, ts: startOf(2) },
    { ...bar, ts: startOf(1) },
    // Not over yet, however slowly this runs.
    { ...bar, ts: startOf(-600) },
  ])
  const joined = await joinNode()
  expect(joined.backtests).toBeUndefined()
  expect(joined.desk.views.engine().identity).toMatchObject({ traderId: 'DESK-001', status: 'running' })
  const span = await joined.history.market.spanOf(idFrom(instrument))
  expect(span).toMatchObject({ from: minute - 120_000 })
  expect(joined.history.market.lastMinuteOf(idFrom(instrument))).toBe(minute - 60_000)
  await joined.close()
  // It still takes connections, and a second opening adds no minute twice.
  const again = await joinNode()
  expect(again.history.market.lastMinuteOf(idFrom(instrument))).toBe(minute - 60_000)
  await again.close()
})

test('[NAUT-107] the clients of a node are its adapters: listed, connected and disconnected, not configured', async () => {
  await client.close()
  const joined = await joinNode()
  const { desk, links, venues } = joined
  // Nothing here starts a job.
  const options = { desk, links, store: joined.store.adapters, jobs: {} as Jobs }
  const adapters = openAdapters({ ...options, ...(venues && { venues }) })
  const okx = async () => (await adapters.list()).find(({ id }) => id === 'okx')
  expect(await okx()).toMatchObject({
    name: 'OKX',
    type: 'Paper venue',
    status: 'connected',
    mode: 'simulated',
    keeps_orders: true,
    config: undefined,
  })
  const audit = serverAuditContext('adapters.disconnect')
  expect(await adapters.switch(audit, 'okx', false)).toMatchObject({ status: 'disconnected' })
  expect(await adapters.switch(audit, 'okx', true)).toMatchObject({ status: 'connected' })
  expect(await adapters.configure(audit, 'okx', {} as NewAdapterConfig)).toMatchObject({
    detail:
      'This engine does not offer configuring an adapter of a node; change the configuration of the node and restart it.',
  })
  expect(await adapters.switch(audit, 'nowhere', true)).toBeInstanceOf(Refused)
  await joined.close()
})

test('[NAUT-103] a node elsewhere that cannot be reached refuses the start with its address', async () => {
  await client.close()
  await node.disconnect()
  await expect(joinNode(1)).rejects.toThrow(
    `The NautilusTrader node at ${join(folder, 'node.sock')} cannot be reached: the NautilusTrader node is not connected yet. Start it, or correct its address in BINNACLE_NAUTILUS_ADDRESS or BINNACLE_ENGINES.`,
  )
})

test('[NAUT-103] a token file that cannot be read refuses the start', async () => {
  await expect(joinNode(1, join(folder, 'none'))).rejects.toThrow(
    'The token file of the NautilusTrader node cannot be read:',
  )
})

test('[NAUT-301] a node whose opening fails after it was reached is left, so that the next attempt reaches it', async () => {
  await client.close()
  const home = join(folder, 'data', 'nautilus')
  const nodeFolder = `node-${createHash('sha256').update(join(folder, 'node.sock')).digest('hex').slice(0, 16)}`
  mkdirSync(join(home, nodeFolder), { recursive: true })
  const inTheWay = join(home, nodeFolder, 'catalog')
  writeFileSync(inTheWay, '')
  await expect(joinNode()).rejects.toThrow('catalog')
  await until(() => expect(node.connections).toBe(0))
  rmSync(inTheWay)
  const joined = await joinNode()
  expect(joined.desk.views.haltReason).toBeNull()
  await joined.close()
})

async function joinNode(startMs?: number, tokenFile?: string) {
  const data = await openDataFolder(join(folder, 'data'))
  const store = await openAdminStore(data.at('admin.sqlite'))
  const path = join(folder, 'node.sock')
  const end = async () => {
    await store.close()
    data.release()
  }
  const opening = openNautilusEngine({
    folder: data,
    store,
    logger: silentLog,
    historyDays: 0,
    traderId: 'DESK-001',
    strategiesFolder: data.at('strategies'),
    python: undefined,
    path: '',
    ...(startMs !== undefined && { startMs }),
    timers: createManualTimers(),
    onFault: (fault) => {
      throw fault
    },
    elsewhere: { address: path, at: { kind: 'socket', path }, tokenFile, caFile: undefined },
  })
  await opening.catch(end)
  const engine = await opening
  return {
    ...engine,
    store,
    async close() {
      await engine.close(0)
      await end()
    },
  }
}

test('[NAUT-93] without an installation the start is refused with what to do', async () => {
  const opening = openNautilusEngine({
    folder: { at: (...names: string[]) => join(folder, ...names) },
    traderId: 'DESK-001',
    python: undefined,
    path: '',
  } as Parameters<typeof openNautilusEngine>[0])
  await expect(opening).rejects.toThrow(
    `NautilusTrader is not installed in ${join(folder, 'nautilus')}. Run 'npm run nautilus -- setup', or set BINNACLE_NAUTILUS_PYTHON to an interpreter that has it.`,
  )
})

import { createMemoryJournal, type Journal, standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addTradingApp } from '#trading/app.ts'
import { type AuditProjection, startAuditProjection } from './audit-projection.ts'
import { wallClock } from './wall-clock.ts'

const ORDER = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.1, price: 40_000 }

test('[CALL-31] an order is a line: who, by which call, what and its outcome', async () => {
  const { call, lines } = await newDesk()
  await call('POST', '/api/orders', ORDER)
  expect(await lines()).toMatchObject([
    {
      seq: 1,
      actor: 'local',
      role: 'admin',
      address: '127.0.0.1',
      action: 'orders.place',
      entity: 'order',
      target: 'O-1',
      before: null,
      after: {
        instrument: 'BTCUSDT',
        side: 'BUY',
        type: 'LIMIT',
        quantity: 0.1,
        price: 40_000,
        strategy: 'MANUAL',
        time_in_force: 'GTC',
        reduce_only: false,
        outcome: 'submitted',
        journal_entry: 2,
      },
      request_id: expect.stringMatching(/^[\da-f]{32}$/),
    },
  ])
})

test('[CALL-31] [CALL-48] [CALL-47] an order that risk denies is recorded with its reason; a malformed one is not recorded', async () => {
  const { call, lines } = await newDesk()
  await call('POST', '/api/orders', { ...ORDER, price: 0 })
  await call('POST', '/api/orders', { ...ORDER, quantity: 10 })
  expect(await lines()).toMatchObject([
    {
      action: 'orders.place',
      after: {
        outcome: 'denied',
        reason: 'limit.order-size',
        sentence: 'The order is worth 400,000.00; Max Order Size is 10,000.00.',
      },
    },
  ])
})

test('[CALL-31] a change of an order records quantity and price before and after, a cancel the order', async () => {
  const { call, lines } = await newDesk()
  await call('POST', '/api/orders', ORDER)
  await call('PATCH', '/api/orders/O-1', { price: 41_000.5 })
  await call('DELETE', '/api/orders/O-1')
  expect((await lines()).slice(1)).toMatchObject([
    {
      action: 'orders.modify',
      entity: 'order',
      target: 'O-1',
      before: { quantity: 0.1, price: 40_000 },
      after: { quantity: 0.1, price: 41_000.5 },
    },
    { action: 'orders.cancel', entity: 'order', target: 'O-1', after: { outcome: 'cancel requested' } },
  ])
})

test('[CALL-54] a cancel while another one is under way has a record of its own', async () => {
  const { call, lines } = await newDesk()
  await call('POST', '/api/orders', ORDER)
  const replies = await Promise.all([
    call('DELETE', '/api/orders/O-1'),
    call('DELETE', '/api/orders/O-1'),
    call('DELETE', '/api/orders/O-1'),
  ])
  const acknowledged = replies.filter(({ message }) => message === 'Order O-1 cancelled')
  expect(acknowledged.length).toBeGreaterThan(1)
  const records = (await lines()).filter(({ action }) => action === 'orders.cancel')
  expect(records).toHaveLength(acknowledged.length)
  expect(new Set(records.map(({ request_id }) => request_id)).size).toBe(acknowledged.length)
})

test('[CALL-55] the stop that a deletion implies is its own action with the same request id', async () => {
  const { call, lines, desk } = await newDesk()
  const quotes = { name: 'Quotes', type: 'market_making', description: '', config: { instrument: 'BTCUSDT' } }
  const { id } = await call('POST', '/api/strategies', quotes)
  await call('POST', `/api/strategies/${id}/start`)
  quote(desk)
  await desk.idle()
  expect(desk.views.strategy(id)?.workingOrders).toBeGreaterThan(0)
  await call('DELETE', `/api/strategies/${id}`)
  const [stop, remove] = (await lines()).slice(-2)
  expect([stop?.action, remove?.action]).toEqual(['strategies.stop', 'strategies.remove'])
  expect(stop?.request_id).toBe(remove?.request_id)
})

test('[CALL-31] a close names the position, and the order that does it', async () => {
  const { call, lines, settle } = await newDesk()
  await call('POST', '/api/orders', { ...ORDER, type: 'MARKET' })
  await settle()
  await call('POST', '/api/positions/P-1/close')
  expect((await lines()).at(-1)).toMatchObject({
    action: 'positions.close',
    entity: 'position',
    target: 'P-1',
    after: { side: 'SELL', quantity: 0.1, reduce_only: true },
  })
})

test('[CALL-66] a limit that was reached by itself is a record of the server', async () => {
  const { desk, call, lines } = await newDesk()
  const limits = { max_order_size: 10_000, max_position_size: 50_000, max_daily_loss: 50, max_positions: 10 }
  await call('POST', '/api/risk/limits', limits)
  await call('POST', '/api/orders', { ...ORDER, type: 'MARKET', price: null })
  quote(desk, 49_000)
  expect((await lines()).at(-1)).toMatchObject({
    actor: 'server',
    role: 'server',
    address: null,
    request_id: null,
    action: 'risk.limitReached',
    entity: 'trading-state',
    target: 'desk',
    before: { state: 'ACTIVE' },
    after: { state: 'REDUCING', limit: 'max_daily_loss', threshold: 50, value: expect.any(Number) },
  })
})

test('[CALL-66] a halt of the desk itself is a record of the server, beside those of people', async () => {
  const { desk, call, lines } = await newDesk()
  await desk.submit({ type: 'RecordHalt', message: 'the disk is full' })
  await call('POST', '/api/trading-state', { state: 'ACTIVE' })
  expect(await lines()).toMatchObject([
    {
      actor: 'server',
      action: 'desk.halt',
      before: { state: 'ACTIVE' },
      after: { state: 'HALTED', reason: { code: 'fault', message: 'the disk is full' }, journal_entry: 2 },
    },
    { actor: 'local', action: 'tradingState.change', after: { state: 'ACTIVE' } },
  ])
})

test('[CALL-31] limits, trading state and components record before and after', async () => {
  const { call, lines } = await newDesk()
  await call('POST', '/api/orders', ORDER)
  const limits = { max_order_size: 1, max_position_size: 2, max_daily_loss: 3, max_positions: 4 }
  await call('POST', '/api/risk/limits', limits)
  await call('POST', '/api/trading-state', { state: 'HALTED', note: 'lunch' })
  await call('POST', '/api/component/restart', { component: 'Cache' })
  await call('POST', '/api/component/configure', {
    component: 'DataEngine',
    config: { stale_after_s: 30 },
  })
  const recorded = (await lines()).slice(1)
  expect(recorded).toMatchObject([
    {
      action: 'risk.saveLimits',
      before: {
        max_order_size: 10_000,
        max_position_size: 50_000,
        max_daily_loss: 5_000,
        max_positions: 10,
      },
      after: limits,
    },
    {
      action: 'tradingState.change',
      before: { state: 'ACTIVE' },
      after: { state: 'HALTED', note: 'lunch', also: { OrderCancelRequested: 1 } },
    },
    {
      action: 'components.restart',
      entity: 'component',
      target: 'Cache',
      before: { status: 'running' },
      after: { status: 'running', through: ['stopped'] },
    },
    {
      action: 'components.configure',
      before: { config: {} },
      after: { config: { stale_after_s: 30 } },
    },
  ])
})

test('[CALL-31] actions of the market, the venues and the server are not recorded', async () => {
  const { desk, lines, settle } = await newDesk()
  await desk.submit({ type: 'StopComponent', component: 'Cache' }, { by: 'server' })
  await settle()
  expect(await lines()).toEqual([])
})

test('[CALL-32] hundreds of orders are recorded once each, in order, and the chain verifies', async () => {
  const { call, lines, store } = await newDesk()
  await Promise.all(
    Array.from({ length: 230 }, () => call('POST', '/api/orders', { ...ORDER, quantity: 0.001 })),
  )
  const targets = (await lines()).map(({ target }) => target)
  expect(targets).toEqual(Array.from({ length: 230 }, (_, index) => `O-${index + 1}`))
  expect((await store.audit.verify()).fault).toBeUndefined()
})

test('[CALL-32] after a crash at any point every action is recorded exactly once', async () => {
  const journal = createMemoryJournal()
  const store = (await newAdminStore()).store
  const placed = new Set<string>()
  for (const writesUntilDeath of [0, 1, 0, 2, 1]) {
    const { call, projection } = await newDesk({ journal, store, audit: dyingAfter(store, writesUntilDeath) })
    for (let nth = 0; nth < 60; nth++)
      placed.add((await call('POST', '/api/orders', { ...ORDER, quantity: 0.001 })).id)
    await projection.close(50)
  }
  const { lines } = await newDesk({ journal, store })
  expect((await lines()).map(({ target }) => target)).toEqual([...placed])
  expect(placed.size).toBe(300)
  expect((await store.audit.verify()).fault).toBeUndefined()
})

test('[CALL-32] a log that cannot be written is reported once, and later has every record', async () => {
  const { store } = await newAdminStore()
  const faults: string[] = []
  let attempts = 0
  const audit: Followed = {
    journalPosition: () => store.audit.journalPosition(),
    appendFromJournal: async (lines, mark) => {
      attempts += 1
      if (attempts <= 3) throw new Error('the disk is full')
      return store.audit.appendFromJournal(lines, mark)
    },
  }
  const { call, lines } = await newDesk({ store, audit, onFault: (fault) => faults.push(String(fault)) })
  await call('POST', '/api/orders', ORDER)
  await call('POST', '/api/orders', ORDER)
  expect((await lines()).map(({ target }) => target)).toEqual(['O-1', 'O-2'])
  expect(attempts).toBeGreaterThan(3)
  expect(faults).toEqual(['Error: the disk is full'])
})

test('[CALL-32] a reader of the log does not wait for the pause between two batches', async () => {
  const { call, lines } = await newDesk({ minPauseMs: 3_600_000 })
  for (const target of ['O-1', 'O-2', 'O-3']) {
    await call('POST', '/api/orders', ORDER)
    expect((await lines()).at(-1)?.target).toBe(target)
  }
})

test('[CALL-32] a replaced journal is recorded from its beginning, with a note', async () => {
  const { store } = await newAdminStore()
  const first = await newDesk({ store })
  await first.call('POST', '/api/orders', ORDER)
  await first.call('POST', '/api/orders', ORDER)
  await first.lines()
  await first.projection.close(1000)
  const second = await newDesk({ store })
  await second.call('POST', '/api/orders', ORDER)
  expect((await second.lines()).slice(2)).toMatchObject([
    {
      actor: 'server',
      action: 'audit.follow',
      before: { journal_entry: expect.any(Number) },
      after: { journal_entry: 0 },
    },
    { actor: 'local', action: 'orders.place', target: 'O-1' },
  ])
})

interface DeskOptions {
  journal?: Journal
  store?: AdminStore
  audit?: Followed
  onFault?: (fault: unknown) => void
  minPauseMs?: number
}

type Followed = Pick<AdminStore['audit'], 'journalPosition' | 'appendFromJournal'>

async function newDesk(options: DeskOptions = {}) {
  const { journal = createMemoryJournal(), store, audit, onFault = () => {}, minPauseMs = 0 } = options
  const admin = store ?? (await newAdminStore()).store
  const desk = await openInMemoryDesk({ journal })
  const projection = startAuditProjection({
    desk,
    audit: audit ?? admin.audit,
    onFault,
    retryMs: 5,
    minPauseMs,
  })
  onTestFinished(async () => {
    await projection.close(0)
    await desk.close()
  })
  const app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'T' })
  quote(desk)
  return {
    desk,
    projection,
    store: admin,
    call: callOf(app),
    settle: () => settleVenue(desk),
    lines: () => linesOf(admin, projection),
  }
}

function callOf(app: FastifyInstance) {
  return async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    (await app.inject({ method, url, ...(payload && { payload }) })).json()
}

async function linesOf({ audit }: AdminStore, projection: AuditProjection) {
  while (!(await projection.waitUntilCurrent()));
  const lines = await audit.page({}, Number.MAX_SAFE_INTEGER, 500)
  const read = (text: string | null) => (text === null ? null : JSON.parse(text))
  return lines.toReversed().map((line) => ({ ...line, before: read(line.before), after: read(line.after) }))
}

/** A log that can be written so many times, and then no more: as if the process had died there. */
function dyingAfter({ audit }: AdminStore, writes: number): Followed {
  let left = writes
  return {
    journalPosition: () => audit.journalPosition(),
    appendFromJournal: async (lines, mark) => {
      if (left === 0) throw new Error('the process has died')
      left -= 1
      return audit.appendFromJournal(lines, mark)
    },
  }
}

function quote(desk: InMemoryDesk, bid = 49_999.5): void {
  desk.accept(aQuote(standardInstruments(), { bid, ask: bid + 1, at: wallClock.now() }))
}

async function settleVenue(desk: InMemoryDesk): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    quote(desk)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

import { mkdtempSync } from 'node:fs'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { idFrom, type PlaceOrder, type PositionId, standardInstruments } from '@binnacle/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DESK_CASES } from '#testkit/desk-cases.ts'
import { FakeNode } from '#testkit/fake-node.ts'
import { createManualTimers } from '#testkit/manual-timers.ts'
import { reach } from '#testkit/reach.ts'
import { openHistoryStore } from './history-store.ts'
import { NautilusDesk } from './nautilus-desk.ts'
import { NodeClient } from './node-client.ts'
import { toNode } from './to-node.ts'
import { viewTimeline } from './to-views.ts'

const instrument = 'BTCUSDT-PERP.BINANCE'
const BUY = { type: 'PlaceOrder', instrument, side: 'BUY', orderType: 'MARKET', quantity: 0.1 } as const

let folder: string
let node: FakeNode
let client: NodeClient
let desk: NautilusDesk
let timers: ReturnType<typeof createManualTimers>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'naut-desk-'))
  timers = createManualTimers()
  const path = join(folder, 'node.sock')
  node = new FakeNode({ socket: path })
  await node.start()
  await node.quote({ instrument })
  client = new NodeClient({ address: { kind: 'socket', path }, timers })
  desk = new NautilusDesk(client)
  await reach(client, () => client.status.state === 'current' && client.view?.metrics != null)
})

afterEach(async () => {
  await client.close()
  await node.kill()
  await rm(folder, { recursive: true })
})

test.each(DESK_CASES)('[NAUT-80] over a node $title', ({ run }) =>
  run({
    desk,
    instrument,
    venue: 'BINANCE',
    quote: (bid) => node.quote({ instrument, bid }),
    isEmbedded: false,
  }),
)

test('[ENGS-52] a console beside the one that commands the node shows current rows as read-only, and takes over when that one leaves', async () => {
  const second = new NodeClient({ address: { kind: 'socket', path: join(folder, 'node.sock') }, timers })
  const reader = new NautilusDesk(second)
  await reach(second, () => second.status.state === 'current')
  expect(reader.views.engine()).toMatchObject({
    isRunning: true,
    identity: {
      status: 'read-only',
      readOnlyBecause: 'another console sends the commands of this node',
    },
  })
  expect(reader.views.haltReason).toBeNull()
  expect(await reader.submit(BUY)).toEqual({
    ok: false,
    reason: {
      code: 'engine.refused',
      message:
        'This console only reads: another console sends the commands of this node. Give the command there, or close that console',
    },
  })
  expect(desk.views.engine().identity).toMatchObject({ status: 'running', readOnlyBecause: null })
  await client.close()
  await reach(second, () => second.status.isWriter)
  expect(reader.views.engine().identity).toMatchObject({ status: 'running', readOnlyBecause: null })
  await second.close()
})

test('[NAUT-400] a listener that throws is reported once, and the others are called and all commands answered', async () => {
  const faults: unknown[] = []
  const fault = new Error('no socket')
  const path = join(folder, 'node.sock')
  const ownClient = new NodeClient({
    address: { kind: 'socket', path },
    timers,
    onFault: (found) => faults.push(found),
  })
  let frames = 0
  ownClient.onChange(() => {
    throw fault
  })
  ownClient.onChange(() => {
    frames += 1
  })
  const own = new NautilusDesk(ownClient)
  const seen = { changes: 0, trades: 0 }
  own.onChange(() => {
    throw fault
  })
  own.onChange(() => {
    seen.changes += 1
  })
  own.onTrades(() => {
    throw fault
  })
  own.onTrades(() => {
    seen.trades += 1
  })
  await client.close()
  await reach(ownClient, () => ownClient.status.isWriter)
  expect(await own.submit(BUY)).toMatchObject({ ok: true })
  expect(await own.submit(BUY)).toMatchObject({ ok: true })
  await node.quote({ instrument, bid: 50_500 })
  await reach(ownClient, () => seen.trades > 0)
  expect([frames > 2, seen.changes > 2]).toEqual([true, true])
  expect(faults).toEqual([fault, fault, fault])
  expect(ownClient.status.state).toBe('current')
  await ownClient.close()
})

describe('without a connection', () => {
  const order = BUY

  test('[NAUT-81] the rows stay, say why they are not current and of when they are', async () => {
    await desk.submit(order)
    await node.disconnect()
    await reach(client, () => client.status.state === 'disconnected')
    expect(desk.views.orders()).toHaveLength(1)
    expect(desk.views.haltReason).toBe(
      'the NautilusTrader node is not connected since 2026-01-05 12:00:00 UTC (the node closed the connection); what is shown is of that time, and the console connects again by itself',
    )
    expect(desk.views.engine()).toMatchObject({ isRunning: false, identity: { status: 'disconnected' } })
    expect(desk.views.risk().isStale).toBe(true)
    const haltReason = desk.views.haltReason
    expect(await desk.submit(order)).toEqual({ ok: false, reason: { code: 'desk.halted', haltReason } })
  })

  test('[NAUT-82] [NAUT-134] a command without an answer is an unknown outcome that the engine’s status counts, and its key finds it later', async () => {
    const key = 'my-key' as NonNullable<Parameters<typeof desk.views.orderOfKey>[0]>
    node.holdAnswers()
    const submitted = desk.submit({ ...order, key })
    await reach(client, () => desk.views.orderOfKey(key) !== null)
    await node.disconnect()
    await expect(submitted).rejects.toMatchObject({ code: 'command.outcome-unknown' })
    await node.listen()
    timers.advance(200)
    await reach(client, () => client.status.state === 'current')
    expect(desk.views.engine().identity?.status).toBe('running, outcome of 1 command unknown')
    node.resumeAnswers()
    await reach(client, () => client.unknown.length === 0)
    expect(desk.views.engine().identity?.status).toBe('running')
    const again = await desk.submit({ ...order, key })
    expect(again).toMatchObject({ ok: true, orderId: desk.views.orderOfKey(key) })
    expect(node.desk.readViews().orders()).toHaveLength(1)
  })

  test('[NAUT-83] a new epoch is a reset: orders of before are history, and the account is shown as reset', async () => {
    await desk.submit(order)
    await desk.submit({ ...order, orderType: 'LIMIT', price: 49_000 })
    await reach(client, () => client.view?.seq === node.seq)
    const kinds: string[] = []
    desk.onChange(({ kind }) => kinds.push(kind))
    const { revision } = desk.views
    await node.kill()
    await node.start()
    await node.quote({ instrument })
    await reach(client, () => client.status.state === 'disconnected')
    timers.advance(200)
    await reach(client, () => client.view?.epoch === node.epoch)
    expect(kinds).toContain('reset')
    expect(desk.views.revision).toBeGreaterThan(revision)
    expect(desk.views.positions()).toEqual([])
    expect(desk.views.haltReason).toBeNull()
    expect(desk.views.engine().identity?.status).toBe('running, paper account reset at 12:00:00 UTC')
    // Orders of before are history; what worked is over.
    expect(desk.views.orders()).toMatchObject([
      { status: 'CANCELLED', reason: { sentence: 'The node was started again without this order.' } },
      { status: 'FILLED' },
    ])
  })
})

test('[NAUT-109] the test of a venue says which part of its connection works', async () => {
  const resultsOf = async () =>
    (await desk.testVenue('BINANCE')).map(({ name, result }) => `${name}: ${result}`)
  expect(await resultsOf()).toEqual([
    'Node: passed',
    'Market data: not-applicable',
    'Execution: passed',
    'Instruments: passed',
    'Quotes: passed',
  ])
  await desk.submit({ type: 'DisconnectVenue', venue: 'BINANCE' })
  await reach(client, () =>
    desk.views.engine().venues.some(({ id, isConnected }) => id === 'BINANCE' && !isConnected),
  )
  expect(await resultsOf()).toContain('Execution: failed')
  await node.disconnect()
  await reach(client, () => client.status.state === 'disconnected')
  expect(await resultsOf()).toEqual([
    'Node: failed',
    ...['Market data: not-run', 'Execution: not-run', 'Instruments: not-run', 'Quotes: not-run'],
  ])
})

test('[NAUT-175] the order that an exit price placed names it in its timeline', async () => {
  await desk.submit({ type: 'PlaceOrder', instrument, side: 'BUY', orderType: 'MARKET', quantity: 0.1 })
  const [row] = client.view?.all('orders') ?? []
  if (row === undefined) throw new Error('the node has no order')
  const [placed] = viewTimeline({ ...row, exit: { kind: 'stop-loss', price: '49000.0' } }, 1)
  expect(placed).toMatchObject({
    event: 'OrderSubmitted',
    sentence: 'The engine placed it at the stop-loss of 49000.0.',
  })
})

test('[NAUT-250] a repeat with other terms than the first request is refused, whatever the order became', async () => {
  const key = idFrom<NonNullable<PlaceOrder['key']>>('one')
  const limit = { ...BUY, orderType: 'LIMIT', price: 40_000, key } as const
  const first = await desk.submit(limit)
  if (!first.ok || first.orderId === null) throw new Error('not placed')
  await desk.submit({ type: 'ModifyOrder', orderId: first.orderId, price: 41_000 })
  expect(await desk.submit(limit)).toMatchObject({ ok: true, orderId: first.orderId })
  const used = { ok: false, reason: { code: 'key.used', by: first.orderId } }
  expect(await desk.submit({ ...limit, price: 41_000 })).toEqual(used)
  expect(await desk.submit({ ...limit, timeInForce: 'IOC' })).toEqual(used)
  expect(await desk.submit({ ...limit, reduceOnly: true })).toEqual(used)
})

test('[NAUT-251] amounts reach a node digit by digit', async () => {
  const added = await desk.submit({
    type: 'AddStrategy',
    name: 'Trend',
    strategyType: 'momentum',
    description: '',
    config: {},
  })
  const strategy = added.ok ? added.strategy : undefined
  if (strategy === undefined) throw new Error('not added')
  const limit = (text: string) => desk.submit({ type: 'LimitStrategyLoss', strategy, limit: text })
  await limit('90071992547409.93')
  expect(node.received.at(-1)).toMatchObject({
    name: 'strategy.limit_loss',
    args: { limit: '90071992547409.93' },
  })
  expect(await limit('0.123456789')).toMatchObject({ reason: { code: 'limit.invalid', limit: 'lossLimit' } })
})

test('[NAUT-176] a node without the command for exit prices is refused them in words', () => {
  const command = { type: 'ChangeExits', positionId: idFrom<PositionId>('P-1'), stopLoss: 1 } as const
  const context = { views: desk.views, instruments: standardInstruments(), clientsOf: () => [] }
  expect(toNode(command, { ...context, has: () => false })).toMatchObject({
    ok: false,
    reason: { code: 'engine.not-offered', what: expect.stringContaining('earlier version') },
  })
})

describe('the history of a node', () => {
  const order = { type: 'PlaceOrder', instrument, side: 'BUY', orderType: 'MARKET', quantity: 0.1 } as const

  /** Runs a console with the history of the file, after the one of the other tests has left. */
  async function withConsole(
    use: (own: NautilusDesk, ownClient: NodeClient) => Promise<void>,
  ): Promise<void> {
    await client.close()
    const store = await openHistoryStore(join(folder, 'history.jsonl'))
    const ownClient = new NodeClient({ address: { kind: 'socket', path: join(folder, 'node.sock') }, timers })
    const own = new NautilusDesk(ownClient, store)
    await reach(ownClient, () => ownClient.status.isWriter && ownClient.status.state === 'current')
    await use(own, ownClient)
    await ownClient.close()
    await store.close()
  }

  const closedOf = (of: NautilusDesk) => of.orderHistory.closedPositions({ limit: 10 }).rows
  const fillsOf = (of: NautilusDesk) => of.orderHistory.fills({ limit: 10 }).rows

  test('[NAUT-100] a restart of console and node keeps orders, fills, closed positions and removed strategies', async () => {
    await withConsole(async (own, ownClient) => {
      await own.submit(order)
      await own.submit({ ...order, side: 'SELL' })
      await own.submit({ ...order, orderType: 'LIMIT', price: 49_000 })
      const added = await own.submit({
        type: 'AddStrategy',
        name: 'Trend',
        strategyType: 'momentum',
        description: '',
        config: {},
      } as const)
      if (added.ok && added.strategy !== undefined) {
        await own.submit({ type: 'RemoveStrategy', strategy: added.strategy })
      }
      await reach(ownClient, () => own.views.removedStrategies().length === 1)
      expect(closedOf(own)).toMatchObject([{ side: 'LONG', instrument }])
    })
    await node.kill()
    await node.start()
    await node.quote({ instrument })
    await withConsole(async (own) => {
      expect(own.views.orders()).toMatchObject([
        { status: 'CANCELLED', reason: { sentence: 'The node was started again without this order.' } },
        { status: 'FILLED', side: 'SELL' },
        { status: 'FILLED', side: 'BUY' },
      ])
      expect(closedOf(own)).toMatchObject([{ side: 'LONG', instrument }])
      expect(fillsOf(own)).toHaveLength(2)
      expect(own.views.removedStrategies()).toMatchObject([{ name: 'Trend' }])
    })
  })

  test('[NAUT-100] a restart of the console alone shows nothing twice', async () => {
    await withConsole(async (own) => {
      await own.submit(order)
      await own.submit({ ...order, side: 'SELL' })
      await own.submit({ ...order, orderType: 'LIMIT', price: 49_000 })
    })
    for (const _ of [1, 2]) {
      await withConsole(async (own) => {
        expect(own.views.orders().map(({ status }) => status)).toEqual(['PENDING', 'FILLED', 'FILLED'])
        expect(closedOf(own)).toHaveLength(1)
        expect(fillsOf(own)).toHaveLength(2)
      })
    }
  })

  test('[NAUT-101] the oldest records beyond the bound and a line that a crash cut short are dropped', async () => {
    const file = join(folder, 'history.jsonl')
    await withConsole(async (own) => {
      for (const _ of [1, 2, 3]) await own.submit({ ...order, quantity: 0.01 })
    })
    await appendFile(file, '{"kind":"order","row":{"id"')
    const store = await openHistoryStore(file, { maxRecords: 2 })
    expect(store.records).toHaveLength(2)
    await store.close()
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).row.id)).toEqual(store.records.map(({ row }) => row.id))
  })
})

test('[NAUT-84] positions, P&L and fees equal those of the engine behind the node', async () => {
  for (const [side, quantity] of [
    ['BUY', 0.1],
    ['BUY', 0.05],
    ['SELL', 0.2],
    ['BUY', 0.03],
  ] as const) {
    await desk.submit({ type: 'PlaceOrder', instrument, side, orderType: 'MARKET', quantity })
    await node.quote({ instrument, bid: 50_000 + quantity * 1_000 })
  }
  await reach(client, () => client.view?.seq === node.seq)
  const ours = desk.views
  const theirs = node.desk.readViews()
  const figures = (rows: typeof ours) =>
    rows.positions().map(({ side, quantity, entryPrice, realised, fees }) => ({
      side,
      quantity,
      entryPrice,
      realised,
      fees,
    }))
  expect(figures(ours)).toEqual(figures(theirs))
  expect(ours.account().exact).toMatchObject({
    realised: theirs.account().exact.realised,
    fees: theirs.account().exact.fees,
  })
  expect(ours.orders().map(({ averagePrice, fees }) => ({ averagePrice, fees }))).toEqual(
    theirs.orders().map(({ averagePrice, fees }) => ({ averagePrice, fees })),
  )
})

import { mkdtempSync } from 'node:fs'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeNode, type FakeNodeOptions } from '#testkit/fake-node.ts'
import { createManualTimers } from '#testkit/manual-timers.ts'
import { reach } from '#testkit/reach.ts'
import { createMemoryCommandJournal, openCommandJournal } from './command-journal.ts'
import { NodeClient, type NodeClientOptions } from './node-client.ts'
import { MAX_LINE_BYTES } from './protocol.ts'

const ID = '0f0e0d0c-0b0a-4908-8706-050403020100'
const BUY = { instrument_id: 'BTCUSDT.BINANCE', side: 'BUY', type: 'MARKET', quantity: '0.1' }
const LIMIT = { ...BUY, type: 'LIMIT', price: '49000' }

let folder: string
let timers: ReturnType<typeof createManualTimers>
let open: { close(): Promise<unknown> }[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'naut-'))
  timers = createManualTimers()
  open = []
})

afterEach(async () => {
  for (const { close } of open.reverse()) await close()
  await rm(folder, { recursive: true })
})

async function startNode(options: Partial<FakeNodeOptions> = {}): Promise<FakeNode> {
  const node = new FakeNode({ socket: join(folder, 'node.sock'), ...options })
  await node.start()
  await node.quote()
  open.push({ close: () => node.kill() })
  return node
}

function connect(options: Partial<NodeClientOptions> = {}): NodeClient {
  const address = { kind: 'socket', path: join(folder, 'node.sock') } as const
  const client = new NodeClient({ address, timers, ...options })
  open.push({ close: () => client.close() })
  return client
}

async function connected(options: Partial<NodeClientOptions> = {}): Promise<NodeClient> {
  const client = connect(options)
  await reach(client, () => client.status.state === 'current')
  return client
}

const isLost = (client: NodeClient) => () => client.status.state === 'disconnected'
const isCurrent = (client: NodeClient) => () => client.status.state === 'current'

/** The connection ends, and the next one begins. */
async function reconnect(client: NodeClient): Promise<void> {
  await reach(client, isLost(client))
  timers.advance(200)
  await reach(client, isCurrent(client))
}

describe('the connection', () => {
  test('[NAUT-50] a line that is too long ends the connection with the reason', async () => {
    const node = await startNode()
    const client = await connected()
    node.sendBytes('x'.repeat(MAX_LINE_BYTES + 1))
    await reach(client, isLost(client))
    expect(client.status.reason).toBe('a line has more than 1048576 bytes')
  })

  test.each([
    ['not json\n', 'the frame is not JSON: not json'],
    ['7\n', 'the frame is not an object'],
    ['{"k":"result","id":"1","status":"perhaps"}\n', "the frame 'result' is invalid at 'status'"],
    [
      '{"k":"metrics","ts":"1","equity":"1e3"}\n',
      "the frame 'metrics' is invalid at 'equity': a plain decimal",
    ],
  ])('[NAUT-51] the invalid frame %s ends the connection with the reason', async (bytes, reason) => {
    const node = await startNode()
    const client = await connected()
    node.sendBytes(bytes)
    await reach(client, isLost(client))
    expect(client.status.reason).toContain(reason)
  })

  test('[NAUT-52] frames, events and fields of a later version change nothing', async () => {
    const node = await startNode()
    const client = await connected()
    node.loseEvent()
    node.sendBytes('{"k":"poem","text":"…"}\n')
    node.sendBytes(`{"k":"event","seq":${node.seq},"ts":"1","type":"weather","data":{}}\n`)
    node.sendBytes('{"k":"pong","mood":"good"}\n')
    await node.quote({ bid: 50_100 })
    await reach(client, () => client.view?.metrics?.quotes[0]?.bid === '50100')
    expect(client.status.state).toBe('current')
    expect(client.view?.seq).toBe(node.seq)
  })

  test('[NAUT-53] a silent node is disconnected after 6 s; its rows stay with the time of the last frame', async () => {
    const node = await startNode()
    const client = await connected()
    const { lastFrameAt } = client.status
    await node.quote({ bid: 50_100 })
    await reach(client, () => client.view?.metrics?.quotes[0]?.bid === '50100')
    // No turn of the event loop: no answer to a ping can arrive meanwhile.
    timers.advance(6_000)
    expect(client.status).toMatchObject({
      state: 'disconnected',
      reason: 'the node has been silent for 6 s',
      lastFrameAt,
    })
    expect(client.view?.all('instruments').length).toBeGreaterThan(10)
  })

  test('[NAUT-54] without a connection commands are refused with the reason and not sent', async () => {
    const node = await startNode()
    const client = await connected()
    await node.disconnect()
    await reach(client, isLost(client))
    expect(await client.request({ name: 'order.submit', args: BUY, actor: 'admin' })).toEqual({
      status: 'refused',
      message: 'the node closed the connection',
    })
    expect(node.received).toEqual([])
  })

  test('[NAUT-55] the connection is tried again with growing delays', async () => {
    const tried: number[] = []
    const start = timers.now()
    const client = connect({ address: { kind: 'socket', path: join(folder, 'absent.sock') } })
    for (const delay of [200, 500, 1_000, 2_000, 5_000, 5_000]) {
      await new Promise<void>((resolve) => {
        const stop = client.onChange(() => {
          stop()
          resolve()
        })
      })
      tried.push(timers.now() - start)
      timers.advance(delay)
    }
    expect(tried).toEqual([0, 200, 700, 1_700, 3_700, 8_700])
    expect(client.status.reason).toContain('ENOENT')
  })

  test('[NAUT-60] a wrong token ends the connection with the reason', async () => {
    await startNode({ token: 'right' })
    const client = connect({ token: 'wrong' })
    await reach(client, isLost(client))
    expect(client.status.reason).toBe('the node ended the connection: NOT_ALLOWED: the token is wrong')
    expect((await connected({ token: 'right' })).status.isWriter).toBe(true)
  })

  test('[NAUT-61] a node with another protocol version is refused with both versions', async () => {
    await startNode({ protocol: { min: 2, max: 3 } })
    const client = connect()
    await reach(client, isLost(client))
    expect(client.status.reason).toBe(
      'the node speaks protocol 2 to 3, this console speaks 1: update the older one',
    )
  })

  test('[NAUT-59] a second console only reads until the first leaves', async () => {
    await startNode()
    const first = await connected()
    const second = await connected()
    const request = { name: 'order.submit', args: BUY, actor: 'admin' }
    expect(second.status.isWriter).toBe(false)
    expect(await second.request(request)).toEqual({
      status: 'refused',
      message: 'another console sends the commands of this node',
    })
    await first.close()
    await reach(second, () => second.status.isWriter)
    expect(await second.request(request)).toMatchObject({ status: 'completed' })
  })
})

describe('the rows', () => {
  test('[NAUT-56] events that were missed are replayed', async () => {
    const node = await startNode()
    const client = await connected()
    await node.disconnect()
    await reach(client, isLost(client))
    await node.desk.submit({
      type: 'PlaceOrder',
      instrument: 'BTCUSDT',
      side: 'BUY',
      orderType: 'MARKET',
      quantity: 1e-1,
    })
    await node.desk.idle()
    await node.listen()
    await reconnect(client)
    await reach(client, () => client.view?.seq === node.seq)
    expect(client.view?.all('orders')).toMatchObject([{ status: 'FILLED', filled: '0.1' }])
  })

  test('[NAUT-57] a node that cannot replay sends all rows again', async () => {
    const node = await startNode({ replayed: 1 })
    const client = await connected()
    const before = client.view
    await node.disconnect()
    await node.desk.submit({
      type: 'PlaceOrder',
      instrument: 'BTCUSDT',
      side: 'BUY',
      orderType: 'MARKET',
      quantity: 0.1,
    })
    await node.desk.idle()
    await node.listen()
    await reconnect(client)
    expect(client.view).not.toBe(before)
    expect(client.view?.all('positions')).toMatchObject([{ side: 'LONG', quantity: '0.1' }])
  })

  test('[NAUT-58] a gap between events leads to a full snapshot', async () => {
    const node = await startNode()
    const client = await connected()
    node.loseEvent()
    const request = { name: 'order.submit', args: BUY, actor: 'admin' }
    expect(await client.request(request)).toMatchObject({ status: 'unknown' })
    expect(client.status.reason).toMatch(/^event \d+ followed event \d+$/)
    await reconnect(client)
    expect(client.view?.seq).toBe(node.seq)
    expect(client.view?.all('orders')).toMatchObject([{ status: 'FILLED' }])
  })

  test('[NAUT-62] a new epoch replaces every row; until its snapshot is complete the old ones stay', async () => {
    const node = await startNode()
    const client = await connected()
    await client.request({ name: 'order.submit', args: BUY, actor: 'admin' })
    const { epoch } = node
    await node.kill()
    await reach(client, isLost(client))
    expect(client.view?.epoch).toBe(epoch)
    expect(client.view?.all('orders')).toHaveLength(1)
    await node.start()
    await reconnect(client)
    expect(client.view?.epoch).toBe(node.epoch)
    expect(client.view?.all('orders')).toEqual([])
  })
})

describe('commands', () => {
  test('[NAUT-63] a command is in the journal before the node gets it, and its outcome after', async () => {
    const node = await startNode()
    const journal = createMemoryCommandJournal()
    const receivedAtAppend: number[] = []
    const client = await connected({
      journal: {
        ...journal,
        append: (record) => {
          receivedAtAppend.push(node.received.length)
          return journal.append(record)
        },
      },
    })
    await client.request({ id: ID, name: 'order.submit', args: LIMIT, actor: 'admin' })
    expect(receivedAtAppend).toEqual([0, 1])
    expect(journal.records).toMatchObject([
      { type: 'requested', id: ID, name: 'order.submit', args: LIMIT, actor: 'admin' },
      { type: 'settled', id: ID, outcome: { status: 'completed', data: { order_id: `C-${ID}` } } },
    ])
  })

  test('[NAUT-63] a command that the journal cannot take is not sent', async () => {
    const node = await startNode()
    const journal = createMemoryCommandJournal()
    const append = () => Promise.reject(new Error('no space left'))
    const client = await connected({ journal: { ...journal, append } })
    expect(await client.request({ name: 'order.submit', args: BUY, actor: 'admin' })).toEqual({
      status: 'refused',
      message: 'the journal of commands failed: no space left',
    })
    expect(node.received).toEqual([])
  })

  test('[NAUT-64] an outcome is given when the rows show its effect', async () => {
    await startNode()
    const client = await connected()
    const outcome = await client.request({ name: 'order.submit', args: BUY, actor: 'admin' })
    expect(outcome).toMatchObject({ status: 'completed' })
    expect(client.view?.all('orders')).toMatchObject([{ status: 'FILLED', filled_value: '5000.1' }])
  })

  test('[NAUT-65] a refusal of the node is a failure with its code and message', async () => {
    await startNode()
    const client = await connected()
    const request = (args: object) =>
      client.request({ name: 'order.submit', args: { ...BUY, ...args }, actor: 'admin' })
    expect(await request({ quantity: '5' })).toMatchObject({
      status: 'failed',
      code: 'DENIED_RISK',
      message: expect.stringContaining('Max Order Size'),
      data: { order_id: expect.stringMatching(/^C-/) },
    })
    expect(await request({ colour: 'red' })).toMatchObject({ status: 'failed', code: 'INVALID' })
  })

  test('[NAUT-66] a command whose connection ends is unknown until the next connection settles it', async () => {
    const node = await startNode()
    const journal = createMemoryCommandJournal()
    const client = await connected({ journal })
    node.holdAnswers()
    const answered = client.request({ id: ID, name: 'order.submit', args: BUY, actor: 'admin' })
    await reach(client, () => client.view?.find('orders', `C-${ID}`)?.status === 'FILLED')
    await node.disconnect()
    expect(await answered).toMatchObject({ status: 'unknown' })
    expect(client.unknown).toMatchObject([{ id: ID, name: 'order.submit' }])
    await node.listen()
    node.resumeAnswers()
    await reconnect(client)
    await reach(client, () => client.unknown.length === 0)
    expect(journal.records.at(-1)).toMatchObject({ id: ID, outcome: { status: 'completed' } })
  })

  test('[NAUT-67] a command that never arrived counts as failed only when it can no longer begin', async () => {
    const node = await startNode()
    const journal = { ...createMemoryCommandJournal() }
    const at = timers.now()
    const lost = { type: 'requested', id: ID, name: 'order.submit', args: BUY, actor: 'admin', at } as const
    const client = await connected({
      journal: { ...journal, unsettled: [{ ...lost, expiresAt: at + 5_000 }] },
    })
    await reach(client, () => client.view?.metrics != null)
    // The first answer, 'none', comes before the command has expired.
    await expect.poll(() => node.received.map(({ name }) => name)).toEqual(['command.status'])
    await client.request({ name: 'trading_state.set', args: { state: 'HALTED' }, actor: 'admin' })
    expect(client.unknown).toHaveLength(1)
    timers.advance(5_001)
    await reach(client, () => client.unknown.length === 0)
    expect(journal.records.at(-1)).toMatchObject({
      id: ID,
      outcome: { status: 'failed', code: 'NOT_FOUND', message: 'the node never received it' },
    })
  })

  test('[NAUT-68] a command that is sent again with its id is carried out once', async () => {
    const node = await startNode()
    const client = await connected()
    const request = { id: ID, name: 'order.submit', args: BUY, actor: 'admin' }
    const [one, other] = await Promise.all([client.request(request), client.request(request)])
    const later = await client.request(request)
    expect(other).toEqual(one)
    expect(later).toEqual(one)
    expect(node.desk.readViews().orders()).toHaveLength(1)
  })

  test('[NAUT-69] a command that a node does not answer in 15 s is unknown until the answer comes', async () => {
    const node = await startNode()
    const journal = createMemoryCommandJournal()
    const client = await connected({ journal })
    node.holdAnswers()
    const answered = client.request({ id: ID, name: 'order.submit', args: BUY, actor: 'admin' })
    await reach(client, () => client.view?.find('orders', `C-${ID}`) !== undefined)
    for (let second = 0; second < 15; second += 1) {
      const before = client.view?.metrics
      await node.settle()
      await reach(client, () => client.view?.metrics !== before)
      timers.advance(1_000)
    }
    expect(await answered).toEqual({ status: 'unknown', message: 'the node did not answer in 15 s' })
    node.resumeAnswers()
    await reach(client, () => client.unknown.length === 0)
    expect(journal.records.at(-1)).toMatchObject({ id: ID, outcome: { status: 'completed' } })
  })

  test('[NAUT-136] the outcome of a command is asked for again when the node was too busy to answer', async () => {
    const node = await startNode()
    node.holdAnswers()
    const journal = createMemoryCommandJournal()
    const lost = {
      type: 'requested',
      id: ID,
      name: 'order.submit',
      args: BUY,
      actor: 'admin',
      at: 1,
    } as const
    const client = await connected({ journal: { ...journal, unsettled: [{ ...lost, expiresAt: 2 }] } })
    await expect.poll(() => node.received.map(({ name }) => name)).toEqual(['command.status'])
    for (let second = 0; second < 15; second += 1) {
      const before = client.view?.metrics
      await node.settle()
      await reach(client, () => client.view?.metrics !== before)
      timers.advance(1_000)
    }
    expect(client.unknown).toHaveLength(1)
    node.resumeAnswers()
    await node.settle()
    timers.advance(1_000)
    await reach(client, () => client.unknown.length === 0)
    expect(journal.records.at(-1)).toMatchObject({ id: ID, outcome: { status: 'failed', code: 'NOT_FOUND' } })
  })

  test('[NAUT-70] the journal of commands outlives the console, also with a line that a crash cut', async () => {
    const file = join(folder, 'commands.jsonl')
    const request = {
      type: 'requested',
      name: 'order.cancel',
      args: {},
      actor: 'admin',
      at: 1,
      expiresAt: 2,
    } as const
    const first = await openCommandJournal(file)
    await first.append({ ...request, id: 'done' })
    await first.append({ type: 'settled', id: 'done', at: 3, outcome: { status: 'completed', data: {} } })
    await first.append({ ...request, id: 'lost' })
    await first.append({ type: 'settled', id: 'lost', at: 3, outcome: { status: 'unknown', message: '…' } })
    await first.append({ ...request, id: 'sent' })
    await first.close()
    await appendFile(file, '{"type":"requ')
    const second = await openCommandJournal(file)
    expect(second.unsettled.map(({ id }) => id)).toEqual(['lost', 'sent'])
    await second.append({ ...request, id: 'next' })
    await second.close()
    expect((await readFile(file, 'utf8')).trimEnd().split('\n').at(-1)).toContain('"next"')
  })
})

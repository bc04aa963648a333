import { buffer, text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { STREAM_TOPICS } from '@binnacle/contract'
import { DEFAULT_LIMITS, MAX_LISTED_FINISHED, standardInstruments } from '@binnacle/engine'
import { anOrder, aQuote } from '@binnacle/engine/testkit'
import { until } from '@binnacle/stores/testkit'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { InMemoryDesk } from '#testkit/in-memory-desk.ts'
import { type RawReply, requestLines, sendRaw } from '#testkit/raw-request.ts'
import {
  aStreamServer,
  maskedFrame,
  openRawStream,
  StreamReader,
  TRADER_ID,
  textsOf,
} from '#testkit/stream.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { DESK_TOPICS, type DeskTopic, snapshotOf } from './stream-rows.ts'

const KEY = Buffer.alloc(16, 7).toString('base64')

const instruments = standardInstruments()

function quote(desk: InMemoryDesk, bid = 50_000, instrument = 'BTCUSDT') {
  desk.accept(aQuote(instruments, { at: wallClock.now(), bid, ask: bid + 1, instrument }))
}

const farOrder = () => anOrder({ orderType: 'LIMIT', price: 40_000, quantity: 0.001 })

async function aReader(port: number, topics: readonly DeskTopic[] = DESK_TOPICS) {
  const reader = new StreamReader()
  await reader.connect(port, topics)
  return reader
}

test('[STREAM-2] [STREAM-3] hello names epoch, topics and heartbeat, and each topic begins with its snapshot', async () => {
  const { desk, port } = await aStreamServer()
  quote(desk)
  await desk.submit(farOrder())
  const reader = await aReader(port)
  expect(reader.frames[0]).toMatchObject({
    type: 'hello',
    topics: [...DESK_TOPICS],
    heartbeat_ms: 2_000,
    version: expect.any(String),
  })
  expect(reader.of('snapshot').map((frame) => 'topic' in frame && frame.topic)).toEqual([...DESK_TOPICS])
  for (const topic of DESK_TOPICS) {
    expect(reader.state.get(topic), topic).toEqual(
      JSON.parse(JSON.stringify(snapshotOf[topic](desk, TRADER_ID))),
    )
  }
  expect(reader.state.get('orders')).toMatchObject({ orders: [{ id: 'O-1', status: 'PENDING' }] })
})

test('[STREAM-1] a page of another site cannot open the stream, and a plain GET is answered with what to do', async () => {
  const { port } = await aStreamServer()
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const from = (...headers: string[]) => sendRaw(port, requestLines('GET /api/stream HTTP/1.1', headers))
  expect((await from('Host: localhost', 'Origin: https://evil.example', ...upgrade)).status).toBe(403)
  expect((await from('Host: evil.example', ...upgrade)).status).toBe(421)
  const plain = await from('Host: localhost')
  expect(plain.status).toBe(400)
})

test.each([
  ['GET /api/stream', 'h2c', 400, 'Open this address as a WebSocket.'],
  ['POST /api/stream', 'websocket', 404, 'There is no call POST /api/stream.'],
  ['GET /api/other', 'websocket', 404, 'There is no call GET /api/other.'],
  ['GET /api/other', 'foo', 404, 'There is no call GET /api/other.'],
])(
  '[STREAM-560] %s with an upgrade to %s is answered as any other request',
  async (call, token, status, text) => {
    const { port } = await aStreamServer()
    const headers = ['Host: localhost', 'Connection: Upgrade, close', `Upgrade: ${token}`]
    const reply = await sendRaw(port, [`${call} HTTP/1.1`, ...headers, '', ''])
    expect(reply.status).toBe(status)
    expect(reply.head).toMatch(/content-security-policy: /)
    expect(JSON.parse(reply.body).detail).toMatch(new RegExp(`^${text}`))
  },
)

test.each([
  ['no key', ['Sec-WebSocket-Version: 13'], 'Missing or invalid Sec-WebSocket-Key header'],
  [
    'another version',
    [`Sec-WebSocket-Key: ${KEY}`, 'Sec-WebSocket-Version: 99'],
    'Missing or invalid Sec-WebSocket-Version header',
  ],
])('[STREAM-561] a handshake with %s is answered with a problem', async (_what, handshake, fault) => {
  const { port } = await aStreamServer()
  const headers = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', ...handshake]
  const reply = await sendRaw(port, ['GET /api/stream HTTP/1.1', ...headers, '', ''])
  expectRawProblem(reply, 400)
  expect(reply.head).toMatch(/\r\nsec-websocket-version: 13, 8\r\n/)
  expect(JSON.parse(reply.body)).toMatchObject({
    code: 'request.malformed',
    detail: `${fault}. Open this address as a WebSocket.`,
  })
})

test('[STREAM-561] a handshake beyond 500 open streams is answered with a problem', async () => {
  const { hub, port } = await aStreamServer()
  vi.spyOn(hub, 'clientCount', 'get').mockReturnValue(500)
  const headers = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket']
  const reply = await sendRaw(port, ['GET /api/stream HTTP/1.1', ...headers, '', ''])
  expectRawProblem(reply, 503)
  expect(JSON.parse(reply.body)).toMatchObject({ code: 'server.busy' })
})

function expectRawProblem({ status, head }: RawReply, expected: number) {
  expect(status).toBe(expected)
  for (const name of [
    'content-security-policy',
    'x-content-type-options',
    'referrer-policy',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'x-request-id',
  ])
    expect(head.toLowerCase()).toContain(`\r\n${name}: `)
  expect(head).toMatch(/content-type: application\/problem\+json/)
}

test('[STREAM-4] every change of an order and every fill is sent, each by itself', async () => {
  const { desk, port } = await aStreamServer()
  quote(desk)
  const reader = await aReader(port, ['orders', 'fills'])
  await desk.submit(anOrder({ quantity: 0.01 }))
  await desk.idle()
  await until(() => expect(reader.of('change')).toHaveLength(3))
  expect(reader.of('change')).toMatchObject([
    { topic: 'orders', data: { changed: [{ id: 'O-1', status: 'PENDING' }], removed: [] } },
    { topic: 'orders', data: { changed: [{ id: 'O-1', status: 'FILLED' }], removed: [] } },
    { topic: 'fills', data: { fills: [{ order_id: 'O-1', quantity: 0.01, price: 50_001 }] } },
  ])
  const seqs = reader.of('change').map(({ seq }) => seq)
  expect(seqs).toEqual([...seqs].sort((one, other) => one - other))
})

test('[STREAM-50] what a command changed is sent after its reply, to each client in one write', async () => {
  const { desk, hub } = await aStreamServer()
  quote(desk)
  await desk.idle()
  const connections = [anUnreadConnection(), anUnreadConnection()]
  for (const connection of connections) {
    hub.connect(connection).receive(JSON.stringify({ type: 'subscribe', topics: ['orders'] }))
    connection.read()
  }
  const before = hub.seq
  await Promise.all([desk.submit(farOrder()), desk.submit(farOrder())])
  expect(connections.map(({ writes }) => writes())).toEqual([[], []])
  await setImmediate()
  expect(connections.map(({ writes }) => writes().length)).toEqual([1, 1])
  for (const connection of connections) {
    const sent = connection.read().flatMap((frames) => textsOf(frames).map((text) => JSON.parse(text)))
    expect(sent.slice(0, 2).map(({ data }) => data.changed[0].id)).toEqual(['O-1', 'O-2'])
    expect(sent.map(({ seq }) => seq - before)).toEqual(sent.map((_, index) => index + 1))
  }
})

test('[STREAM-55] changes that are published while clients are served reach each of them once and in order', async () => {
  const { desk, hub } = await aStreamServer()
  const connections = Array.from({ length: 50 }, () => anUnreadConnection())
  for (const connection of connections) {
    hub.connect(connection).receive(JSON.stringify({ type: 'subscribe', topics: ['orders'] }))
    connection.read()
  }
  const before = hub.seq
  const changesOf = ({ writes }: ReturnType<typeof anUnreadConnection>) =>
    writes()
      .flatMap((frames) => textsOf(frames).map((sent) => JSON.parse(sent)))
      .flatMap(({ type, seq }) => (type === 'change' ? [seq] : []))
  for (let order = 0; order < 10; order++) {
    await desk.submit(farOrder())
    await setImmediate()
  }
  await until(() => {
    const published = hub.changesAfter(before)?.filter(({ topic }) => topic === 'orders') ?? []
    expect(published.length).toBeGreaterThanOrEqual(10)
    const seqs = published.map(({ seq }) => seq)
    for (const connection of connections) expect(changesOf(connection)).toEqual(seqs)
  })
})

test('[STREAM-51] a snapshot that is taken in the turn of a change follows it, and no frame is older than the one before', async () => {
  const { desk, hub } = await aStreamServer()
  const connection = anUnreadConnection()
  const client = hub.connect(connection)
  client.receive(JSON.stringify({ type: 'subscribe', topics: ['orders'] }))
  connection.read()
  await desk.submit(farOrder())
  client.receive(JSON.stringify({ type: 'subscribe', topics: ['trading-state'] }))
  const sent = connection.read().flatMap((frames) => textsOf(frames).map((text) => JSON.parse(text)))
  expect(sent.slice(0, 2)).toMatchObject([
    { type: 'change', topic: 'orders', data: { changed: [{ id: 'O-1' }] } },
    { type: 'snapshot', topic: 'trading-state' },
  ])
  const seqs = sent.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
})

test.each([1, 100, 1_000])('[STREAM-3] the snapshot of %i orders arrives whole', async (count) => {
  const { desk, port } = await aStreamServer()
  for (let placed = 0; placed < count; placed++) await desk.submit(farOrder())
  const reader = await aReader(port, ['orders'])
  expect(reader.state.get('orders')?.orders).toHaveLength(count)
})

test('[STREAM-56] the list of orders is encoded once for the clients that subscribe between two changes', async () => {
  const { desk, hub } = await aStreamServer()
  await desk.submit(farOrder())
  await desk.idle()
  const encoded = vi.spyOn(snapshotOf, 'orders')
  onTestFinished(() => encoded.mockRestore())
  const subscribe = () => {
    const connection = anUnreadConnection()
    hub.connect(connection).receive(JSON.stringify({ type: 'subscribe', topics: ['orders'] }))
    return connection.frames().join()
  }
  expect(subscribe()).toContain('"id":"O-1"')
  expect(subscribe()).toContain('"id":"O-1"')
  expect(encoded).toHaveBeenCalledTimes(1)
  await desk.submit(farOrder())
  expect(subscribe()).toContain('"id":"O-2"')
})

test('[STREAM-40] an order that leaves the list is removed at the next flush, also when only refused ones came', async () => {
  const { desk, hub, port } = await aStreamServer()
  await desk.submit({ type: 'ChangeTradingState', to: 'HALTED' })
  for (let count = 0; count < MAX_LISTED_FINISHED; count++) await desk.submit(farOrder())
  const reader = await aReader(port, ['orders'])
  await desk.submit(farOrder())
  hub.flush()
  await until(() => {
    expect(reader.of('change')).toHaveLength(2)
    expect(reader.state.get('orders')?.orders).toHaveLength(MAX_LISTED_FINISHED)
    expect(reader.state.get('orders')).toMatchObject({ next_cursor: 'O-2' })
  })
})

test('[STREAM-5] a client that resumes gets what it missed, and no snapshot', async () => {
  const { desk, port } = await aStreamServer()
  quote(desk)
  const reader = await aReader(port, ['orders', 'trading-state'])
  reader.cut()
  await desk.submit(farOrder())
  await desk.submit({ type: 'ChangeTradingState', to: 'REDUCING' })
  reader.frames.length = 0
  await reader.connect(port, ['orders', 'trading-state'])
  expect(reader.of('snapshot')).toEqual([])
  expect(reader.of('change')[0]).toMatchObject({ topic: 'orders', data: { changed: [{ id: 'O-1' }] } })
  expect(reader.state.get('trading-state')).toMatchObject({ state: 'REDUCING' })
})

test.each([
  ['another epoch', { epoch: 'another' }],
  ['a seq of the future', { seq: 1_000_000 }],
  ['a seq that is too old', { seq: 0 }],
])('[STREAM-5] a resume from %s begins with snapshots', async (_, changed) => {
  const { desk, port } = await aStreamServer()
  const reader = await aReader(port, ['orders'])
  reader.cut()
  await desk.submit(farOrder())
  reader.resume = { epoch: '', seq: 0, ...reader.resume, ...changed }
  reader.frames.length = 0
  await reader.connect(port, ['orders'])
  expect(reader.of('snapshot')).toHaveLength(1)
  expect(reader.state.get('orders')).toMatchObject({ orders: [{ id: 'O-1' }] })
})

test('[FEAT-25] no quote is sent while Market Data Service is stopped, and after its start all are', async () => {
  const { desk, port, hub } = await aStreamServer()
  quote(desk)
  const reader = await aReader(port, ['quotes', 'engine'])
  await desk.submit({ type: 'StopService', service: 'market-data' })
  await until(() =>
    expect(reader.state.get('engine')).toMatchObject({ services: { 'market-data': 'stopped' } }),
  )
  const late = await aReader(port, ['quotes'])
  expect(late.state.get('quotes')).toEqual({ quotes: [] })
  quote(desk, 60_000)
  hub.flush()
  // The engine itself has the new price.
  expect(desk.views.quotes()).toMatchObject([{ bid: 60_000 }])
  await desk.submit({ type: 'StartService', service: 'market-data' })
  await until(() => expect(late.state.get('quotes')).toMatchObject({ quotes: [{ bid: 60_000 }] }))
  await until(() => expect(reader.state.get('quotes')).toMatchObject({ quotes: [{ bid: 60_000 }] }))
  const changes = reader.of('change').filter((frame) => 'topic' in frame && frame.topic === 'quotes')
  expect(changes).toEqual([])
})

test('[STREAM-6] of many quotes a client gets the latest of each instrument it wants', async () => {
  const { desk, hub, port } = await aStreamServer()
  const reader = await aReader(port, ['quotes'])
  reader.send({ type: 'subscribe', topics: ['quotes'], instruments: ['BTCUSDT'] })
  reader.send({ type: 'subscribe', topics: ['book'] })
  await until(() => expect(reader.of('error')).toHaveLength(1))
  for (let bid = 50_000; bid < 50_200; bid++) {
    quote(desk, bid)
    quote(desk, bid, 'ETHUSDT')
  }
  hub.flush()
  await until(() => expect(reader.of('change').length).toBeGreaterThan(0))
  const sent = reader.of('change').flatMap((frame) => ('data' in frame ? [frame.data] : []))
  expect(sent.at(-1)).toMatchObject({ quotes: [{ instrument: 'BTCUSDT', bid: 50_199, ask: 50_200 }] })
  expect(JSON.stringify(sent)).not.toContain('ETHUSDT')
  expect(sent.length).toBeLessThan(20)
})

test('[STREAM-6] [STREAM-54] clients share the frame of their quotes, and one that reads late gets the latest of each', async () => {
  const { desk, hub } = await aStreamServer()
  quote(desk, 50_000)
  quote(desk, 3_000, 'ETHUSDT')
  hub.flush()
  const clients = [anUnreadConnection(), anUnreadConnection(), anUnreadConnection()]
  const [first, second, late] = clients
  for (const connection of clients) {
    hub.connect(connection).receive(JSON.stringify({ type: 'subscribe', topics: ['quotes'] }))
  }
  first?.read()
  second?.read()
  quote(desk, 50_100)
  hub.flush()
  const shared = first?.read()
  expect(shared).toHaveLength(1)
  expect(second?.read()[0]).toBe(shared?.[0])
  quote(desk, 50_200)
  quote(desk, 3_100, 'ETHUSDT')
  hub.flush()
  late?.read()
  hub.flush()
  const [frames = Buffer.alloc(0)] = late?.read() ?? []
  expect(textsOf(frames).map((sent) => JSON.parse(sent))).toMatchObject([
    {
      topic: 'quotes',
      data: {
        quotes: [
          { instrument: 'BTCUSDT', bid: 50_200 },
          { instrument: 'ETHUSDT', bid: 3_100 },
        ],
      },
    },
  ])
})

test('[STREAM-8] while MessageBus is stopped nothing is sent but the reason, and then snapshots', async () => {
  const { desk, hub, port } = await aStreamServer()
  const reader = await aReader(port, ['orders', 'components'])
  await desk.submit({ type: 'StopComponent', component: 'MessageBus' })
  await until(() => expect(reader.of('status')).toHaveLength(1))
  expect(reader.of('status')).toMatchObject([{ paused: expect.stringMatching(/^MessageBus is stopped\./) }])
  reader.frames.length = 0
  await desk.submit(farOrder())
  hub.flush()
  hub.beat()
  await until(() => expect(reader.of('heartbeat').length).toBeGreaterThan(0))
  expect(reader.of('change')).toEqual([])
  await desk.submit({ type: 'StartComponent', component: 'MessageBus' })
  await until(() => expect(reader.of('snapshot')).toHaveLength(2))
  expect(reader.of('status')).toMatchObject([{ paused: null }])
  expect(reader.state.get('orders')).toMatchObject({ orders: [{ id: 'O-1' }] })
})

/** A client whose bytes stay where they are until it reads. */
function anUnreadConnection() {
  const sent: Buffer[] = []
  return {
    writes: () => [...sent],
    frames: () => sent.map((frame) => frame.toString('latin1')),
    get bufferedBytes() {
      return sent.reduce((sum, { length }) => sum + length, 0)
    },
    read: () => sent.splice(0),
    send: (frame: Buffer) => void sent.push(frame),
    ping: () => {},
    close: () => {},
  }
}

test('[STREAM-7] a client that never reads costs at most 1 MB, and is sent snapshots once it reads', async () => {
  const { desk, hub } = await aStreamServer()
  const connection = anUnreadConnection()
  const client = hub.connect(connection)
  client.receive(JSON.stringify({ type: 'subscribe', topics: ['orders', 'positions', 'risk', 'quotes'] }))
  let most = 0
  for (let count = 0; count < 1_000; count++) {
    await desk.submit(anOrder({ quantity: 100 }))
    quote(desk, 50_000 + count)
    hub.flush()
    hub.beat()
    client.receive('nonsense')
    most = Math.max(most, connection.bufferedBytes)
  }
  expect(hub.seq).toBeGreaterThan(1_000)
  expect(most).toBeGreaterThan(256 * 1024)
  expect(most).toBeLessThan(1024 * 1024)
  connection.read()
  client.sendDue()
  const topics = connection.frames().map((frame) => /"topic":"([a-z]+)"/.exec(frame)?.[1])
  expect(topics).toEqual(['orders', 'positions', 'risk', 'quotes'])
  expect(connection.frames()[0]).toContain('"id":"O-1000"')
  expect(connection.frames().map((frame) => frame.includes('"partial":true'))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('[STREAM-7] a snapshot that is too large for a frame is sent without its rows', async () => {
  const { desk, hub } = await aStreamServer()
  await desk.submit({ type: 'ChangeLimits', limits: { ...DEFAULT_LIMITS, maxPositionSize: 1e9 } })
  for (let count = 0; count < 2_000; count++) await desk.submit(farOrder())
  const connection = anUnreadConnection()
  const client = hub.connect(connection)
  connection.read()
  client.receive(JSON.stringify({ type: 'subscribe', topics: ['orders'] }))
  expect(connection.bufferedBytes).toBeLessThan(200)
  expect(connection.frames()[0]).toMatch(/\{"type":"snapshot","seq":\d+,"topic":"orders"\}$/)
})

test('[STREAM-25] a flood of messages ends the connection, and what is left of it is not read', async () => {
  const { hub } = await aStreamServer()
  const closed: [number, string][] = []
  const connection = { ...anUnreadConnection(), close: (...end: [number, string]) => closed.push(end) }
  const client = hub.connect(connection)
  const subscribe = JSON.stringify({ type: 'subscribe', topics: ['engine'] })
  for (let count = 0; count < 200; count++) client.receive(subscribe)
  hub.beat()
  for (let count = 0; count < 200; count++) client.receive(subscribe)
  expect(closed).toEqual([])
  for (let count = 0; count < 3; count++) client.receive(subscribe)
  expect(closed).toEqual([[1008, 'Too many messages']])
})

test('[STREAM-9] an invalid message is answered with the fault, and too many end the connection', async () => {
  const { port } = await aStreamServer()
  const reader = await aReader(port, ['engine'])
  reader.send({ type: 'subscribe', topics: ['secrets'] })
  reader.send({ type: 'shout' })
  reader.send({ type: 'subscribe', topics: ['orders'], extra: 1 })
  reader.send({ type: 'subscribe', topics: ['quotes'], instruments: Array(101).fill('BTCUSDT') })
  reader.send({ type: 'subscribe', topics: ['trades'] })
  await until(() => expect(reader.of('error')).toHaveLength(5))
  const codes = reader.of('error').map((frame) => 'code' in frame && frame.code)
  expect(codes).toEqual([...Array(4).fill('stream.malformed'), 'stream.topic'])
  const socket = await openRawStream(port)
  for (let count = 0; count < 30; count++) socket.write(maskedFrame(Buffer.from('{')))
  expect(await text(socket)).toContain('Too many invalid messages')
})

test.each([
  ['is not masked', Buffer.from([0x81, 0x01, 0x61]), 1002],
  ['has reserved bits', maskedFrame(Buffer.from('{}'), 0x1, 0xc1), 1002],
  ['is binary', maskedFrame(Buffer.from('{}'), 0x2), 1003],
  ['is too large', maskedFrame(Buffer.alloc(20_000, 0x61)), 1009],
  ['is not UTF-8', maskedFrame(Buffer.from([0xff, 0xfe])), 1007],
  ['continues nothing', maskedFrame(Buffer.from('{}'), 0x0), 1002],
  ['is a long control frame', maskedFrame(Buffer.alloc(200), 0x9), 1002],
  ['has an unknown kind', maskedFrame(Buffer.from(''), 0xb), 1002],
])('[STREAM-10] a frame that %s ends the connection with the code of its fault', async (_, frame, code) => {
  const { port } = await aStreamServer()
  const socket = await openRawStream(port)
  socket.write(frame)
  const received = await buffer(socket)
  const close = received.indexOf(0x88)
  expect(received.readUInt16BE(close + 2)).toBe(code)
})

test('[STREAM-9] no bytes whatever stop the server', async () => {
  const { port } = await aStreamServer()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, isFramed) => {
      const socket = await openRawStream(port)
      socket.end(isFramed ? maskedFrame(Buffer.from(bytes)) : Buffer.from(bytes))
      await text(socket)
    }),
    { numRuns: 50, seed: 1 },
  )
  const reader = await aReader(port, ['engine'])
  expect(reader.state.get('engine')).toMatchObject({ trader_id: TRADER_ID })
})

test('every offered topic is one of the contract', () => {
  expect(STREAM_TOPICS).toEqual(expect.arrayContaining([...DESK_TOPICS]))
})

import { parseChange, parseSnapshot } from '@binnacle/contract'
import { standardInstruments } from '@binnacle/engine'
import { anOrder, aQuote } from '@binnacle/engine/testkit'
import { until } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { aTrade, openMarketOf } from '#testkit/market.ts'
import { aStreamServer, StreamReader } from '#testkit/stream.ts'
import { barsToWire } from '#trading/market.wire.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'

const instruments = standardInstruments()

async function aMarketStream() {
  const server = await aStreamServer({ openMarket: openMarketOf })
  const { desk } = server
  const reader = new StreamReader()
  await reader.connect(server.port, ['trading-state'])
  const trade = (price: number, instrument = 'BTCUSDT') =>
    desk.accept(aTrade(wallClock.now(), price, 100_000, instrument))
  const quote = (bid: number, instrument = 'BTCUSDT') =>
    desk.accept(aQuote(instruments, { at: wallClock.now(), bid, ask: bid + 1, instrument }))
  const subscribe = (topics: string[], choice: object = { instruments: ['BTCUSDT'] }) =>
    reader.send({ type: 'subscribe', topics, ...choice })
  return { ...server, reader, trade, quote, subscribe }
}

type Topic = 'trades' | 'bars' | 'book'

function changesOf<T extends Topic>(reader: StreamReader, topic: T) {
  return reader.frames.flatMap((frame) => {
    const data = frame.type === 'change' && frame.topic === topic ? parseChange(topic, frame.data) : undefined
    return data === undefined ? [] : [data]
  })
}

function snapshotsOf<T extends Topic>(reader: StreamReader, topic: T) {
  return reader.frames.flatMap((frame) => {
    const data =
      frame.type === 'snapshot' && frame.topic === topic ? parseSnapshot(topic, frame.data) : undefined
    return data === undefined ? [] : [data]
  })
}

test('[STREAM-18] trades, bars and books are sent of the chosen instruments only', async () => {
  const { reader, hub, trade, quote, subscribe } = await aMarketStream()
  expect(reader.frames[0]).toMatchObject({ topics: expect.arrayContaining(['trades', 'bars', 'book']) })
  subscribe(['trades', 'bars', 'book'])
  await until(() => expect(snapshotsOf(reader, 'book')).toHaveLength(1))
  for (const instrument of ['BTCUSDT', 'ETHUSDT']) {
    quote(50_000, instrument)
    trade(5_000_000, instrument)
  }
  hub.flush()
  await until(() => expect(changesOf(reader, 'book')).toHaveLength(1))
  await until(() => expect(changesOf(reader, 'bars').flatMap(({ bars }) => bars)).not.toEqual([]))
  expect(changesOf(reader, 'trades').flatMap(({ trades }) => trades)).toMatchObject([
    { instrument: 'BTCUSDT', price: 50_000, quantity: 1 },
  ])
  expect(changesOf(reader, 'book')).toMatchObject([{ books: [{ instrument: 'BTCUSDT' }] }])
  for (const bar of changesOf(reader, 'bars').flatMap(({ bars }) => bars)) {
    expect(bar).toMatchObject({ instrument: 'BTCUSDT', interval: '1m' })
  }
})

test.each([
  ['without instruments', {}, 'trades: name at least one instrument'],
  ['with an empty list', { instruments: [] }, 'trades: name at least one instrument'],
  [
    'with too many',
    { instruments: Array.from({ length: 21 }, () => 'BTCUSDT') },
    'trades: at most 20 instruments',
  ],
  ['with an unknown one', { instruments: ['BTCUSDT', 'DOGE'] }, "trades: there is no instrument 'DOGE'"],
])('[STREAM-18] a subscription %s is refused and sends nothing', async (_, choice, fault) => {
  const { reader, hub, trade, subscribe } = await aMarketStream()
  subscribe(['trades'], choice)
  await until(() => expect(reader.of('error')).toHaveLength(1))
  expect(reader.of('error')).toMatchObject([
    { code: 'stream.instruments', message: `The topic needs its instruments: ${fault}` },
  ])
  trade(5_000_000)
  hub.flush()
  hub.beat()
  await until(() => expect(reader.of('heartbeat').length).toBeGreaterThan(1))
  expect(reader.frames.filter((frame) => 'topic' in frame && frame.topic === 'trades')).toEqual([])
})

test('[STREAM-19] of many changes between two frames the latest book and the latest of each bar are sent', async () => {
  const { reader, hub, trade, quote, subscribe } = await aMarketStream()
  quote(50_000)
  trade(4_900_000)
  subscribe(['bars', 'book'], { instruments: ['BTCUSDT'], intervals: ['1d', '1h'] })
  await until(() => expect(snapshotsOf(reader, 'book')).toHaveLength(1))
  await until(() => {
    hub.flush()
    expect(changesOf(reader, 'bars').flatMap(({ bars }) => bars)).toHaveLength(2)
  })
  // A heartbeat after a flush: nothing is on its way any more.
  const beats = reader.of('heartbeat').length
  hub.flush()
  hub.beat()
  await until(() => expect(reader.of('heartbeat').length).toBeGreaterThan(beats))
  reader.frames.length = 0
  for (let step = 0; step < 300; step++) {
    quote(50_000 + step)
    trade(5_000_000 + step)
  }
  hub.flush()
  await until(() => expect(changesOf(reader, 'book')).toHaveLength(1))
  expect(changesOf(reader, 'book')[0]?.books).toMatchObject([
    { bids: [{ price: 50_299 }, ...Array(9).fill({})] },
  ])
  await until(() => expect(changesOf(reader, 'bars')).toHaveLength(1))
  const [sent] = changesOf(reader, 'bars')
  expect(sent?.bars.map(({ interval, open, close, volume }) => ({ interval, open, close, volume }))).toEqual([
    { interval: '1d', open: 49_000, close: 50_002.99, volume: 301 },
    { interval: '1h', open: 49_000, close: 50_002.99, volume: 301 },
  ])
})

test('[STREAM-23] figures and quotes of a flush do not hold back trades, bars and books of the same flush', async () => {
  const { desk, hub, trade, quote } = await aMarketStream()
  const unread: Buffer[] = []
  const client = hub.connect({
    get bufferedBytes() {
      return unread.reduce((sum, { length }) => sum + length, 0)
    },
    send: (frame) => void unread.push(frame),
    ping: () => {},
    close: () => {},
  })
  await desk.submit(anOrder({ orderType: 'MARKET', quantity: 0.01 }))
  client.receive(JSON.stringify({ type: 'subscribe', topics: ['account', 'quotes'] }))
  const market = { topics: ['trades', 'bars', 'book'], instruments: ['BTCUSDT'] }
  client.receive(JSON.stringify({ type: 'subscribe', ...market }))
  await until(() => {
    trade(5_000_000)
    unread.length = 0
    hub.flush()
    expect(unread.join('')).toContain('"topic":"bars"')
  })
  unread.length = 0
  quote(50_010)
  trade(5_001_000)
  hub.flush()
  const topics = unread.map((frame) => /"topic":"([a-z]+)"/.exec(String(frame))?.[1])
  expect(topics).toEqual(expect.arrayContaining(['quotes', 'trades', 'bars', 'book']))
  // Unread, the client gets nothing more.
  const before = unread.length
  quote(50_020)
  trade(5_002_000)
  hub.flush()
  expect(unread.slice(before).map(String).join('')).not.toMatch(/"topic":"(quotes|trades|bars|book)"/)
})

test('[STREAM-20] a frame has at most 100 trades, the latest, and a trade is sent once', async () => {
  const { reader, hub, trade, subscribe } = await aMarketStream()
  subscribe(['trades'])
  await until(() => expect(snapshotsOf(reader, 'trades')).toHaveLength(1))
  for (let number = 0; number < 250; number++) trade(5_000_000 + number)
  hub.flush()
  await until(() => expect(changesOf(reader, 'trades')).toHaveLength(1))
  trade(5_100_000)
  hub.flush()
  await until(() => expect(changesOf(reader, 'trades')).toHaveLength(2))
  const [many, one] = changesOf(reader, 'trades')
  expect(many?.trades).toHaveLength(100)
  expect(many?.trades.at(-1)?.price).toBe(50_002.49)
  expect(one?.trades.map(({ price }) => price)).toEqual([51_000])
})

test('[STREAM-21] another choice and a new connection begin with a snapshot of what was chosen', async () => {
  const { reader, port, hub, trade, subscribe } = await aMarketStream()
  trade(5_000_000)
  trade(300_000, 'ETHUSDT')
  subscribe(['trades'])
  await until(() => expect(snapshotsOf(reader, 'trades')).toHaveLength(1))
  subscribe(['trades'], { instruments: ['ETHUSDT'] })
  await until(() => expect(snapshotsOf(reader, 'trades')).toHaveLength(2))
  const shown = snapshotsOf(reader, 'trades').map(({ trades }) => trades.map(({ instrument }) => instrument))
  expect(shown).toEqual([['BTCUSDT'], ['ETHUSDT']])
  reader.cut()
  trade(310_000, 'ETHUSDT')
  hub.flush()
  reader.frames.length = 0
  await reader.connect(port, ['trading-state'])
  reader.send({ type: 'subscribe', topics: ['trades'], instruments: ['ETHUSDT'], resume: reader.resume })
  await until(() => expect(snapshotsOf(reader, 'trades')).toHaveLength(1))
  expect(snapshotsOf(reader, 'trades')[0]?.trades.map(({ price }) => price)).toEqual([3_000, 3_100])
})

test('[STREAM-22] the bar under way is the same by the stream and by its call', async () => {
  const { reader, hub, market, trade, subscribe } = await aMarketStream()
  for (let number = 0; number < 20; number++) trade(5_000_000 + ((number * 37) % 19))
  subscribe(['bars'], { instruments: ['BTCUSDT'], intervals: ['5m'] })
  for (let number = 0; number < 20; number++) trade(5_000_000 + ((number * 31) % 23))
  const [instrument] = instruments.all
  await until(async () => {
    hub.flush()
    const page = await market?.bars({
      instrument: instruments.all[0]?.id ?? expect.fail(),
      interval: '5m',
      limit: 1,
    })
    if (page === undefined || instrument === undefined) expect.fail()
    const sent = changesOf(reader, 'bars').at(-1)?.bars.at(-1)
    expect(sent).toMatchObject(barsToWire(page.bars, instrument)[0] ?? {})
  })
})

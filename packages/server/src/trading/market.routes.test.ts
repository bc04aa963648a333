import { standardInstruments } from '@binnacle/engine'
import { anOrder, aQuote } from '@binnacle/engine/testkit'
import { expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { aTrade, openMarketOf } from '#testkit/market.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { addMarketRoutes } from './market.routes.ts'

const instruments = standardInstruments()

async function aMarketApp() {
  const desk = await openInMemoryDesk()
  const market = await openMarketOf(desk)
  const app = createHttpApp({ logger: silentLog })
  addMarketRoutes(app, desk, { market })
  const get = async (url: string) => (await app.inject(url)).json()
  const trade = (price: number, size = 100_000) => desk.accept(aTrade(wallClock.now(), price, size))
  const quote = (bid: number) =>
    desk.accept(aQuote(instruments, { at: wallClock.now(), bid, ask: bid + 1, instrument: 'BTCUSDT' }))
  return { app, desk, get, trade, quote }
}

test('[MKT-7] a quote has bid, ask, last and its last 24 hours', async () => {
  const { get, trade, quote } = await aMarketApp()
  quote(50_000)
  expect(await get('/api/market/quotes')).toMatchObject({
    quotes: [
      { instrument: 'BTCUSDT', bid: 50_000, ask: 50_001, last: null, change_percent: null, spark: [] },
    ],
  })
  trade(5_000_000)
  trade(5_100_000)
  const { quotes } = await get('/api/market/quotes')
  expect(quotes).toMatchObject([
    { venue: 'BINANCE', last: 51_000, high_24h: 51_000, spark: [51_000], at: expect.any(String) },
  ])
})

test('[MKT-8] the book has the levels of both sides, best first, with own resting orders in them', async () => {
  const { desk, get, quote } = await aMarketApp()
  quote(50_000)
  const before = await get('/api/market/book?instrument=BTCUSDT')
  expect(before.bids).toHaveLength(10)
  expect(before.bids[0].price).toBe(50_000)
  expect(before.asks[0].price).toBe(50_001)
  expect(before.bids).toEqual(before.bids.toSorted((one: Level, other: Level) => other.price - one.price))
  expect(before.asks).toEqual(before.asks.toSorted((one: Level, other: Level) => one.price - other.price))
  const [, second] = before.bids
  await desk.submit(anOrder({ orderType: 'LIMIT', price: second.price, quantity: 0.002 }))
  await desk.submit(anOrder({ orderType: 'LIMIT', price: 49_000, quantity: 0.003 }))
  await desk.idle()
  quote(50_000)
  const after = await get('/api/market/book?instrument=BTCUSDT')
  const at = (price: number) => after.bids.find((level: Level) => level.price === price)?.quantity
  expect(at(second.price)).toBeCloseTo(second.quantity + 0.002, 8)
  expect(at(49_000)).toBe(0.003)
})

interface Level {
  price: number
  quantity: number
}

test('[MKT-9] the tape has the latest 100 trades, latest first, each with an id of its own', async () => {
  const { get, trade } = await aMarketApp()
  for (let number = 0; number < 130; number++) trade(5_000_000 + number)
  const { trades } = await get('/api/market/trades?instrument=BTCUSDT')
  expect(trades).toHaveLength(100)
  expect(trades[0]).toMatchObject({ price: 50_001.29, quantity: 1, side: 'BUY', instrument: 'BTCUSDT' })
  expect(trades[99].price).toBe(50_000.3)
  const ids = trades.map(({ id }: { id: string }) => Number(id))
  expect(new Set(ids).size).toBe(100)
  expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one))
})

test('[MKT-3] bars are in decimals, and an unknown instrument or interval is refused by name', async () => {
  const { app, get, trade } = await aMarketApp()
  trade(5_000_000)
  trade(5_000_050)
  const page = await get('/api/market/bars?instrument=BTCUSDT&interval=1d')
  expect(page).toMatchObject({ instrument: 'BTCUSDT', interval: '1d', more: false })
  expect(page.bars).toMatchObject([{ open: 50_000, high: 50_000.5, low: 50_000, close: 50_000.5, volume: 2 }])
  const unknown = await app.inject('/api/market/bars?instrument=DOGE&interval=1d')
  expect(unknown.statusCode).toBe(404)
  expect(unknown.json().detail).toBe("There is no instrument 'DOGE'. GET /api/instruments lists them.")
  const refused = await app.inject('/api/market/bars?instrument=BTCUSDT&interval=2m&limit=5001')
  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors.map(({ field }: { field: string }) => field)).toEqual([
    'query.interval',
    'query.limit',
  ])
})

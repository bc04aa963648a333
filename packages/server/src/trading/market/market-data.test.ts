import {
  type BarColumns,
  createRandom,
  INTERVAL_MS,
  INTERVALS,
  type InstrumentId,
  type Interval,
  idFrom,
  type TradeTick,
} from '@binnacle/engine'
import { generated } from '@binnacle/engine/testkit'
import { temporaryFolder } from '@binnacle/stores/testkit'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { aTrade, openTestMarket } from '#testkit/market.ts'

const BTC = idFrom<InstrumentId>('BTCUSDT')
const NOON = Date.UTC(2026, 0, 15, 11, 50)
const SECOND = 1_000
const MINUTE = 60_000

interface Row {
  start: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** Bars by the plainest means, to compare with. */
function barsOf(trades: readonly TradeTick[], interval: Interval): Row[] {
  const rows = new Map<number, Row>()
  for (const { at, price, size } of trades) {
    const start = Math.floor(at / INTERVAL_MS[interval]) * INTERVAL_MS[interval]
    const row = rows.get(start)
    if (row === undefined)
      rows.set(start, { start, open: price, high: price, low: price, close: price, volume: size })
    else {
      row.high = Math.max(row.high, price)
      row.low = Math.min(row.low, price)
      row.close = price
      row.volume += size
    }
  }
  return [...rows.values()]
}

function rowsOf(bars: BarColumns): Row[] {
  return Array.from(bars.start, (start, row) => ({
    start,
    open: bars.open[row] ?? 0,
    high: bars.high[row] ?? 0,
    low: bars.low[row] ?? 0,
    close: bars.close[row] ?? 0,
    volume: bars.volume[row] ?? 0,
  }))
}

const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('trade' as const),
      gapMs: fc.integer({ min: 0, max: 40_000 }),
      price: fc.integer({ min: 5_900_000, max: 6_100_000 }),
      size: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pause' as const),
      gapMs: fc.integer({ min: 1, max: 400_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'settle' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('compare' as const),
      intervals: fc.subarray([...INTERVALS], { minLength: 1, maxLength: 2 }),
    }),
  },
)

test('[MKT-1] [MKT-2] bars of any interval join the catalog and the live market without a gap or a double, over restarts too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 50 }), async (acts) => {
      const folder = temporaryFolder()
      let at = NOON
      let open = await openTestMarket(at, folder)
      const trades: TradeTick[] = []
      const compare = async (intervals = INTERVALS) => {
        for (const interval of intervals) {
          const { bars } = await open.market.bars({ instrument: BTC, interval, limit: 5_000 })
          expect(rowsOf(bars), interval).toEqual(barsOf(trades, interval))
        }
      }
      for (const one of acts) {
        if (one.kind === 'compare') await compare(one.intervals)
        else if (one.kind === 'settle') await open.settle()
        else if (one.kind === 'restart') {
          // The second under way is lost by a stop; everything before it is not.
          at = Math.ceil((at + 1) / SECOND) * SECOND
          open.step(at)
          open.close()
          open = await openTestMarket(at, folder)
        } else {
          at += one.gapMs
          const made = one.kind === 'trade' ? [aTrade(at, one.price, one.size)] : []
          trades.push(...made)
          open.step(at, made)
        }
      }
      await compare()
      open.close()
    }),
    generated('marketHistories'),
  )
})

test('[MKT-1] a minute that ends while the chart is read is not missing', async () => {
  const open = await openTestMarket(NOON)
  onTestFinished(() => open.close())
  const trades = Array.from({ length: 90 }, (_, second) => aTrade(NOON + second * SECOND, 6_000_000 + second))
  for (const trade of trades.slice(0, 59)) open.step(trade.at, [trade])
  const reading = open.market.bars({ instrument: BTC, interval: '1m', limit: 10 })
  for (const trade of trades.slice(59)) open.step(trade.at, [trade])
  expect(rowsOf((await reading).bars)).toEqual(barsOf(trades, '1m'))
})

test('[MKT-3] a page ends before the time it names and says whether there is more, over gaps too', async () => {
  const open = await openTestMarket(NOON)
  onTestFinished(() => open.close())
  const minutes = [0, 1, 2, 3, 400, 401]
  for (const minute of minutes)
    open.step(NOON + minute * MINUTE, [aTrade(NOON + minute * MINUTE, 6_000_000 + minute)])
  const page = async (before: number | undefined, limit: number) => {
    const { bars, more } = await open.market.bars({ instrument: BTC, interval: '1m', before, limit })
    return { starts: Array.from(bars.start, (start) => (start - NOON) / MINUTE), more }
  }
  expect(await page(undefined, 3)).toEqual({ starts: [3, 400, 401], more: true })
  expect(await page(NOON + 3 * MINUTE, 2)).toEqual({ starts: [1, 2], more: true })
  expect(await page(NOON + 1 * MINUTE, 2)).toEqual({ starts: [0], more: false })
  expect(await page(NOON, 2)).toEqual({ starts: [], more: false })
  expect(await page(undefined, 6)).toEqual({ starts: minutes, more: false })
})

test('[MKT-4] seconds reach back 24 hours and no further', async () => {
  const open = await openTestMarket(NOON)
  onTestFinished(() => open.close())
  const day = 86_400 * SECOND
  const times = [0, 10 * SECOND, day - SECOND, day + 5 * SECOND].map((after) => NOON + after)
  for (const [number, at] of times.entries()) open.step(at, [aTrade(at, 6_000_000 + number)])
  open.step(NOON + day + 6 * SECOND)
  const { bars, more } = await open.market.bars({ instrument: BTC, interval: '1s', limit: 5_000 })
  expect(Array.from(bars.start)).toEqual(times.slice(1))
  expect(more).toBe(false)
  const minutes = await open.market.bars({ instrument: BTC, interval: '1m', limit: 5_000 })
  expect(minutes.bars.start[0]).toBe(NOON)
})

test('[MKT-5] the last 24 hours count finished minutes once, while they are loaded too', async () => {
  const folder = temporaryFolder()
  const first = await openTestMarket(NOON, folder)
  for (let minute = 0; minute < 40; minute++)
    first.step(NOON + minute * MINUTE, [aTrade(NOON + minute * MINUTE, 6_000_000 + minute, 2)])
  first.step(NOON + 40 * MINUTE)
  first.close()
  const open = await openTestMarket(NOON + 40 * MINUTE, folder)
  onTestFinished(() => open.close())
  const random = createRandom(3)
  const loading = open.market.lastDay()
  for (let minute = 40; minute < 80; minute++) {
    const at = NOON + minute * MINUTE + Math.floor(random.uniform() * 50_000)
    open.step(at, [aTrade(at, 6_000_000 + minute, 2)])
    if (minute === 48) await loading
  }
  open.step(NOON + 80 * MINUTE)
  const day = (await open.market.lastDay()).get(BTC)
  expect(day?.volume.reduce((sum, lots) => sum + lots, 0)).toBe(160)
  expect(day?.open[0]).toBe(6_000_000)
  expect(day?.close.at(-1)).toBe(6_000_079)
})

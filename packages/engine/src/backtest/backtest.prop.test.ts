import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeEntry } from '#journal/codec.ts'
import type { BarColumns } from '#market/history.ts'
import { createInstruments, standardInstruments } from '#market/instruments.ts'
import { createRandom } from '#market/random.ts'
import type { Event } from '#model/event.ts'
import { type WalkGiven, walkBars } from '#testkit/bars.ts'
import { generated } from '#testkit/generated.ts'
import { idFrom } from '#values/ids.ts'
import { type BacktestOptions, createBacktest } from './backtest.ts'

/** Some seconds of work, but the machine may be busy. */
const all = standardInstruments()
const MIDNIGHT = Date.UTC(2026, 0, 5)

const bars = fc.record({
  instrument: fc.constantFrom('BTCUSDT', 'BTCUSDT-PERP', 'SOLUSDT.OKX'),
  interval: fc.constantFrom('1m', '1m', '5m', '1h', '1d'),
  rows: fc.integer({ min: 1, max: 500 }),
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  startAt: fc.integer({ min: 0, max: 1_440 }).map((minutes) => MIDNIGHT + minutes * 60_000),
  ticks: fc.constantFrom(5_000_000, 20_000, 40),
  moveTicks: fc.constantFrom(1, 50, 300, 20_000),
  driftTicks: fc.constantFrom(0, 0, 40, -40),
  gaps: fc.constantFrom(0, 0.02),
  volume: fc.constantFrom(0, 40, 400_000),
})

const momentum = fc.record({
  type: fc.constant('momentum'),
  config: fc.record({
    fast_bars: fc.integer({ min: 1, max: 10 }),
    slow_bars: fc.integer({ min: 11, max: 30 }),
    threshold_bps: fc.constantFrom(0, 0, 5),
    order_value: fc.constantFrom(100, 5_000, 60_000),
  }),
})

const meanReversion = fc.record({
  type: fc.constant('mean_reversion'),
  config: fc.record({
    window_bars: fc.integer({ min: 5, max: 30 }),
    entry_score: fc.constantFrom(1, 2),
    min_edge_bps: fc.constantFrom(0, 4),
    max_hold_bars: fc.integer({ min: 1, max: 40 }),
    order_value: fc.constantFrom(100, 5_000, 60_000),
  }),
})

const terms = fc.record({
  capital: fc.constantFrom(1_000, 20_000, 1_000_000),
  limits: fc.record({
    maxOrderSize: fc.constantFrom(10_000, 1_000_000),
    maxPositionSize: fc.constantFrom(50_000, 1_000_000),
    maxDailyLoss: fc.constantFrom(1, 40, 5_000),
    maxPositions: fc.constantFrom(0, 10, 10, 10),
  }),
  slippageBps: fc.constantFrom(0, 0, 2, 400),
  latencyMs: fc.constantFrom(0, 0, 50, 40_000),
  seed: fc.integer({ min: 0, max: 1_000 }),
})

test('[BT-1] passing quiet bars over at once leads to every event that playing each bar does', () => {
  const seen = new Map<Event['type'], number>()
  fc.assert(
    fc.property(bars, fc.oneof(momentum, meanReversion), terms, (given, strategy, chosen) => {
      const columns = walkBars(given)
      const { instrument, interval } = given
      const options: BacktestOptions = {
        ...chosen,
        instruments: createInstruments([all.get(idFrom(instrument))]),
        bars: [columns],
        strategy: { type: strategy.type, config: { ...strategy.config, instrument, interval } },
      }
      const fast = run(options, seen)
      const slow = run({ ...options, isStepByStep: true })
      expect(fast.entries).toEqual(slow.entries)
      expect(fast.report).toEqual(slow.report)
    }),
    generated('backtestRuns'),
  )
  // A property over runs in which little happens would prove little.
  for (const type of USUAL) expect(seen.get(type) ?? 0, type).toBeGreaterThan(20)
})

const marketMaking = fc.record({
  half_spread_bps: fc.constantFrom(0.5, 4, 40),
  requote_bps: fc.constantFrom(0.01, 2, 50),
  requote_s: fc.constantFrom(0.1, 15, 600),
  skew_bps: fc.constantFrom(0, 4, 100),
  order_value: fc.constantFrom(100, 5_000, 40_000),
  max_inventory: fc.constantFrom(40_000, 120_000),
})

test('[BT-90] leaving out trades, bars and times that reach nobody leads to every event of playing each', () => {
  const seen = new Map<Event['type'], number>()
  fc.assert(
    fc.property(bars, marketMaking, terms, (given, config, chosen) => {
      const { instrument } = given
      const options: BacktestOptions = {
        ...chosen,
        instruments: createInstruments([all.get(idFrom(instrument))]),
        bars: [walkBars(given)],
        strategy: { type: 'market_making', config: { ...config, instrument } },
      }
      const fast = run(options, seen)
      const slow = run({ ...options, isStepByStep: true })
      expect(fast.entries).toEqual(slow.entries)
      expect(fast.report).toEqual(slow.report)
    }),
    generated('marketMakingRuns'),
  )
  for (const type of USUAL) expect(seen.get(type) ?? 0, type).toBeGreaterThan(5)
})

/** Two or three venues whose prices follow one walk, each with gaps of its own. */
const venues = fc.record({
  kind: fc.constantFrom('', '-PERP', '-PERP'),
  count: fc.integer({ min: 2, max: 3 }),
  interval: fc.constantFrom('1m', '1m', '5m', '1h', '1d'),
  rows: fc.integer({ min: 1, max: 300 }),
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  startAt: fc.integer({ min: 0, max: 1_440 }).map((minutes) => MIDNIGHT + minutes * 60_000),
  ticks: fc.constantFrom(500_000, 20_000, 40),
  moveTicks: fc.constantFrom(1, 50, 300),
  gapBps: fc.constantFrom(5, 20, 60),
  missing: fc.constantFrom(0, 0, 0.05),
})

const arbitrage = fc.record({
  min_profit_bps: fc.constantFrom(0, 0.5, 5),
  max_quote_age_s: fc.constantFrom(0.1, 1, 1, 20, 60),
  order_value: fc.constantFrom(100, 500, 40_000),
  max_inventory: fc.constantFrom(40_000, 120_000),
})

test('[BT-61] skipping the quotes on which arbitrage does not act leads to every event of playing each', () => {
  const seen = new Map<Event['type'], number>()
  fc.assert(
    fc.property(venues, arbitrage, terms, (given, config, chosen) => {
      const names = ['', '.BYBIT', '.OKX']
        .slice(0, given.count)
        .map((venue) => `ETHUSDT${given.kind}${venue}`)
      const options: BacktestOptions = {
        ...chosen,
        instruments: createInstruments(names.map((name) => all.get(idFrom(name)))),
        bars: names.map((instrument, nth) => barsOfVenue(instrument, nth, given)),
        strategy: { type: 'arbitrage', config: { ...config, instruments: names.toReversed() } },
      }
      const fast = run(options, seen)
      const slow = run({ ...options, isStepByStep: true })
      expect(fast.entries).toEqual(slow.entries)
      expect(fast.report).toEqual(slow.report)
    }),
    generated('arbitrageRuns'),
  )
  for (const type of USUAL) expect(seen.get(type) ?? 0, type).toBeGreaterThan(5)
})

/** The walk of the given seed, moved by a share of the price that changes from bar to bar, without some of the bars. */
function barsOfVenue(instrument: string, nth: number, given: VenuesGiven): BarColumns {
  const columns = walkBars({ ...given, instrument })
  const random = createRandom(given.seed + nth)
  let away = 0
  let length = 0
  for (let row = 0; row < columns.length; row++) {
    if (random.uniform() < 0.2) away = ((random.uniform() - 0.5) * given.gapBps) / 10_000
    if (random.uniform() < given.missing && row > 0) continue
    columns.start[length] = columns.start[row] ?? 0
    for (const name of ['open', 'high', 'low', 'close'] as const)
      columns[name][length] = Math.max(1, Math.round((columns[name][row] ?? 0) * (1 + away)))
    length += 1
  }
  return { ...columns, length }
}

interface VenuesGiven extends WalkGiven {
  readonly gapBps: number
  readonly missing: number
}

const USUAL: readonly Event['type'][] = [
  'OrderSubmitted',
  'OrderDenied',
  'OrderFilled',
  'OrderCancelled',
  'FundingPaid',
  'DayStarted',
  'HighWaterRaised',
  'DrawdownDeepened',
  'LimitBreached',
  'TradingStateChanged',
]

function run(options: BacktestOptions, seen?: Map<Event['type'], number>) {
  const entries: string[] = []
  const made = createBacktest({
    ...options,
    onEntry: (entry) => {
      entries.push(encodeEntry(entry))
      for (const { type } of entry.events) seen?.set(type, (seen.get(type) ?? 0) + 1)
    },
  })
  if (!made.ok) throw new Error(JSON.stringify(made.reason))
  // In slices, as a worker does it.
  while (made.value.done < made.value.rows) made.value.advance(97)
  return { entries, report: made.value.report() }
}

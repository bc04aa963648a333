import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeEntry } from '#journal/codec.ts'
import { createInstruments, standardInstruments } from '#market/instruments.ts'
import type { Event } from '#model/event.ts'
import { walkBars } from '#testkit/bars.ts'
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

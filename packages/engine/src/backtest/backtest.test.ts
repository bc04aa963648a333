import { describe, expect, test } from 'vitest'
import { startDeskLoop } from '#desk-loop.ts'
import { createEngine } from '#engine.ts'
import { createMemoryJournal } from '#journal/memory-journal.ts'
import { type BarColumns, createColumns } from '#market/history.ts'
import { createInstruments, standardInstruments } from '#market/instruments.ts'
import { ticksOfBars } from '#market/replay-feed.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import { walkBars } from '#testkit/bars.ts'
import { createManualClock } from '#testkit/clock.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import { instantFromMs } from '#values/instant.ts'
import { createSimulatedVenue } from '#venue/simulated-venue.ts'
import { type BacktestOptions, createBacktest } from './backtest.ts'

const bitcoin = standardInstruments().get(idFrom('BTCUSDT'))
const LIMITS = { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 1e6, maxPositions: 10 }
const START = Date.UTC(2026, 0, 5)
const MINUTE = 60_000

function flatBars(...closes: number[]): BarColumns {
  const columns = createColumns(idFrom<InstrumentId>('BTCUSDT'), '1m', closes.length)
  closes.forEach((close, row) => {
    columns.start[row] = START + row * MINUTE
    columns.open[row] = columns.high[row] = columns.low[row] = columns.close[row] = close * 100
    columns.volume[row] = 4_000_000
  })
  return columns
}

/** A strategy that wants to hold so many lots at the end of each bar. */
function script(...lots: number[]): StrategyKind {
  return {
    type: 'script',
    title: '',
    about: '',
    earnsWhen: '',
    losesWhen: '',
    parameters: [],
    create: () => {
      let bar = 0
      return {
        instruments: [bitcoin.id],
        interval: '1m',
        warmUpBars: 0,
        onBar: (_, desk) => desk.target(0, lots[bar++] ?? 0),
      }
    },
  }
}

function run(options: Partial<BacktestOptions> & Pick<BacktestOptions, 'bars'>) {
  const entries: JournalEntry[] = []
  const made = createBacktest({
    instruments: createInstruments([{ ...bitcoin, takerFeePpm: 1_000 }]),
    strategy: { type: 'script', config: {} },
    capital: 10_000,
    limits: LIMITS,
    slippageBps: 0,
    latencyMs: 0,
    seed: 1,
    onEntry: (entry) => entries.push(entry),
    ...options,
  })
  if (!made.ok) throw new Error(JSON.stringify(made.reason))
  made.value.advance(made.value.rows)
  return { ...made.value.report(), entries }
}

test('[BT-9] a strategy that fails is reported with its reason and the end of the bar on which it failed', () => {
  const made = createBacktest({
    instruments: createInstruments([bitcoin]),
    bars: [flatBars(50_000, 50_000, 50_000, 50_000)],
    kinds: [script(10_000, 0.5)],
    strategy: { type: 'script', config: {} },
    capital: 10_000,
    limits: LIMITS,
    slippageBps: 0,
    latencyMs: 0,
    seed: 1,
  })
  if (!made.ok) throw new Error(JSON.stringify(made.reason))
  made.value.advance(1)
  expect(made.value.failure).toBeNull()
  made.value.advance(3)
  expect(made.value.failure).toEqual({
    reason: 'invalid target: 0.5 lots of BTCUSDT',
    at: START + 2 * MINUTE,
  })
})

describe('0.1 bought at 50,000.01 and sold at 50,999.99, for a fee of 10 basis points', () => {
  const report = run({
    bars: [flatBars(50_000, 50_000, 51_000, 51_000)],
    kinds: [script(10_000, 10_000, 0, 0)],
  })
  // Bought for 5,000.001 with a fee of 5.000001, sold for 5,099.999 with a fee of 5.099999.
  const earned = 99.998 - 10.1

  test('[BT-7] is one trade that won what the difference leaves after both fees', () => {
    expect(report.trades).toHaveLength(1)
    const [trade] = report.trades
    expect(trade).toMatchObject({ side: 'LONG', openedAt: START + MINUTE, closedAt: START + 3 * MINUTE })
    expect(trade?.entryPrice).toBeCloseTo(50_000.01, 8)
    expect(trade?.exitPrice).toBeCloseTo(50_999.99, 8)
    expect(trade?.fees).toBeCloseTo(10.1, 8)
    expect(trade?.pnl).toBeCloseTo(earned, 8)
  })

  test('[BT-7] gives these statistics', () => {
    const { statistics } = report
    expect(report.finalEquity).toBeCloseTo(10_000 + earned, 8)
    expect(statistics.totalReturn).toBeCloseTo(earned / 10_000, 10)
    expect(statistics.turnover).toBeCloseTo(1.01, 10)
    expect(statistics.fees).toBeCloseTo(10.1, 8)
    expect(statistics.expectancy).toBeCloseTo(earned, 8)
    expect(statistics).toMatchObject({
      trades: 1,
      winRate: 1,
      profitFactor: null,
      exposureTime: 0.5,
      cagr: null,
    })
    // Half the spread and the fee of the buy, below the capital until the end of the third bar.
    expect(statistics.maxDrawdown).toBeCloseTo((0.001 + 5.000001) / 10_000, 12)
    expect(statistics.maxDrawdownMs).toBe(3 * MINUTE)
  })

  test('has a point of equity at the end of each bar', () => {
    expect([...report.curve.at]).toEqual([1, 2, 3, 4].map((bars) => START + bars * MINUTE))
    expect(report.curve.equity[0]).toBeCloseTo(10_000 - 5.001001, 8)
    expect(report.curve.drawdown[0]).toBeCloseTo(5.001001 / 10_000, 10)
    expect(report.curve.equity[3]).toBeCloseTo(report.finalEquity, 10)
  })
})

test('a position turned round is one trade closed and another open, whose value is in the equity', () => {
  const instruments = createInstruments([{ ...bitcoin, kind: 'PERPETUAL' }])
  const bars = [flatBars(50_000, 50_000, 50_000)]
  const report = run({ instruments, bars, kinds: [script(1_000, -1_000, -1_000)] })
  expect(report.trades).toMatchObject([{ side: 'LONG', lots: 1_000 }])
  expect(report.openPositions).toBe(1)
  expect(report.statistics.exposureTime).toBe(1)
})

test('slippage is paid on each market order, and an order that travels meets the next bar', () => {
  const bars = [flatBars(50_000, 52_000, 52_000, 52_000)]
  const slipped = run({ bars, slippageBps: 10, kinds: [script(1_000, 0, 0, 0)] })
  expect(slipped.trades[0]?.entryPrice).toBeCloseTo(50_050, 8)
  const late = run({ bars, latencyMs: 50, kinds: [script(1_000, 1_000, 0, 0)] })
  expect(late.trades[0]?.entryPrice).toBeCloseTo(52_000.01, 8)
})

test('the number of points and of listed trades is bounded, however many bars there are', () => {
  const bars = [walkBars({ rows: 30_000, seed: 3 })]
  const turns = Array.from({ length: 30_000 }, (_, bar) => (bar % 20 < 10 ? 1_000 : 0))
  const report = run({ bars, kinds: [script(...turns)], capital: 1e6 })
  expect(report.curve.length).toBe(2_000)
  expect(report.curve.at[1_999]).toBe(START + 30_000 * MINUTE)
  expect(report.trades).toHaveLength(1_000)
  expect(report.statistics.trades).toBe(1_500)
  const closed = report.trades.map(({ closedAt }) => closedAt)
  expect(closed).toEqual(closed.toSorted((one, other) => one - other))
})

test('a strategy of unknown kind, or with settings that make no sense, is refused', () => {
  const bars = [flatBars(50_000)]
  const options = { instruments: createInstruments([bitcoin]), bars, capital: 1, limits: LIMITS } as const
  const market = { slippageBps: 0, latencyMs: 0, seed: 1 }
  const made = createBacktest({ ...options, ...market, strategy: { type: 'astrology', config: {} } })
  expect(made).toMatchObject({ ok: false, reason: { code: 'strategy.type-unknown', type: 'astrology' } })
})

describe.each([
  ['momentum', { fast_bars: 5, slow_bars: 20, threshold_bps: 0 }],
  ['mean_reversion', { window_bars: 20, min_edge_bps: 0 }],
])('%s', (type, own) => {
  test('[BT-8] makes the same trades live, over the replayed bars, and in a backtest', async () => {
    const bars = [walkBars({ rows: 1_500, seed: 21, moveTicks: 3_000 })]
    const config = { ...own, instrument: 'BTCUSDT', interval: '1m', order_value: 500 }
    const instruments = createInstruments([bitcoin])
    const tested = run({ bars, instruments, strategy: { type, config }, capital: 100_000 })
    const live = await playLive(bars, type, config)
    const fills = fillsOf(tested.entries)
    expect(fills.length).toBeGreaterThan(30)
    expect(fillsOf(live)).toEqual(fills)
  })
})

async function playLive(bars: readonly BarColumns[], strategyType: string, config: Record<string, unknown>) {
  const instruments = createInstruments([bitcoin])
  const clock = createManualClock(instantFromMs(START))
  const venue = createSimulatedVenue({ instruments })
  const create = (state: Parameters<typeof createEngine>[0]['state']) =>
    createEngine({ instruments, ...(state && { state }) })
  const entries: JournalEntry[] = []
  const onEntries = (added: readonly JournalEntry[]) => entries.push(...added)
  const desk = await startDeskLoop({
    instruments,
    createEngine: create,
    clock,
    venue,
    journal: createMemoryJournal(),
    onEntries,
  })
  await desk.submit({ type: 'OpenDesk', cash: 100_000, limits: LIMITS, venues: ['BINANCE'] })
  await desk.submit({ type: 'AddStrategy', name: 'it', strategyType, description: '', config })
  await desk.submit({ type: 'StartStrategy', strategy: idFrom('S-1') })
  for (const tick of ticksOfBars(bars, { halfSpreadTicks: 1 })) {
    desk.accept(tick)
    await desk.idle()
  }
  return entries
}

function fillsOf(entries: readonly JournalEntry[]) {
  return entries.flatMap(({ at, events }) =>
    events.flatMap((event) => (event.type === 'OrderFilled' ? [{ at, ...event }] : [])),
  )
}

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import type { PerformanceReport } from '@binnacle/contract'
import {
  type ClosedPositionView,
  createColumns,
  type FillRecord,
  type InstrumentId,
  idFrom,
  instantFromMs,
  type OrderId,
  type OrderView,
  type PositionId,
  type StrategyId,
  seqFrom,
} from '@binnacle/engine'
import { anOrder } from '@binnacle/engine/testkit'
import { temporaryFolder, until } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openOrderHistory } from '#storage/orders/order-history.ts'
import { createSamples } from '#storage/samples/samples.ts'
import { openSamplesStore, type SamplesStore } from '#storage/samples/samples-store.ts'
import { deskPaths } from '#testkit/desk-paths.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addPerformanceRoutes } from '#trading/performance.routes.ts'
import { startDeskClient } from '#trading/runtime/desk-client.ts'
import { startEngineThread } from '#trading/runtime/engine-thread.ts'
import { openPerformance, type PerformanceOptions } from './performance.ts'
import { openFileReader, openPerformanceReader } from './performance-reader.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A Wednesday, at noon. */
const NOW = Date.UTC(2026, 4, 13, 12)

async function openAnalytics({
  now = NOW,
  market,
  backtests,
  samplesFile = ':memory:',
}: AnalyticsOptions = {}) {
  const folder = temporaryFolder()
  const file = join(folder, 'orders.sqlite')
  const history = openOrderHistory(file)
  const store = openSamplesStore(samplesFile)
  const desk = await openInMemoryDesk()
  const samples = createSamples(store)
  const reader = openFileReader(file)
  const performance = openPerformance({ desk, samples, reader, market, backtests, now: () => now })
  const app = createHttpApp({ logger: silentLog })
  addPerformanceRoutes(app, desk, performance)
  onTestFinished(async () => {
    history.close()
    store.close()
    await desk.close()
  })
  const get = async (url: string) => {
    const reply = await app.inject(url)
    return { status: reply.statusCode, body: reply.json() }
  }
  const report = async (query = 'period=1W'): Promise<PerformanceReport> =>
    (await get(`/api/performance?${query}`)).body
  return { history, store, desk, get, report, file }
}

interface AnalyticsOptions extends Pick<PerformanceOptions, 'market' | 'backtests'> {
  samplesFile?: string
  now?: number
}

function record(store: SamplesStore, at: number, values: Record<string, number>): void {
  store.add({ at: at / 1000, values: new Map(Object.entries(values)) })
}

function aFill(at: number, part: Partial<FillRecord> = {}): FillRecord {
  return {
    orderId: idFrom<OrderId>('O-1'),
    fill: 1,
    strategy: idFrom<StrategyId>('MANUAL'),
    instrument: idFrom<InstrumentId>('BTCUSDT-PERP'),
    side: 'BUY',
    quantity: 0.1,
    price: 50_000,
    value: 5_000,
    fee: 2.5,
    realised: 0,
    liquidity: 'TAKER',
    positionId: idFrom<PositionId>('P-1'),
    at: instantFromMs(at),
    seq: seqFrom(1),
    ...part,
  }
}

/** Only the fields by which orders are counted. */
function aFilledOrder(number: number, createdAt: number): OrderView {
  const shared = { instrument: 'BTCUSDT-PERP', strategy: 'MANUAL', status: 'FILLED' }
  return { id: `O-${number}`, number, createdAt, ...shared } as unknown as OrderView
}

function aTrade(
  closedAt: number,
  result: number,
  part: Partial<ClosedPositionView> = {},
): ClosedPositionView {
  return {
    id: idFrom<PositionId>('P-1'),
    strategy: idFrom<StrategyId>('MANUAL'),
    instrument: idFrom<InstrumentId>('BTCUSDT-PERP'),
    side: 'LONG',
    realised: result + 5,
    fees: 5,
    funding: 0,
    result,
    openedAt: instantFromMs(closedAt - HOUR),
    closedAt: instantFromMs(closedAt),
    seq: seqFrom(1),
    ...part,
  }
}

test('[PERF-1] a report has the equity of the period with its figures and its returns by day, week and month', async () => {
  const { store, report } = await openAnalytics()
  // Tuesday of last week, then Saturday to now.
  record(store, NOW - 8 * DAY, { equity: 100_000 })
  for (const [days, equity] of [
    [4, 101_000],
    [3, 99_990],
    [2, 102_989.7],
    [1, 102_989.7],
  ] as const) {
    record(store, NOW - days * DAY, { equity })
  }
  const found = await report()
  expect(found).toMatchObject({
    period: '1W',
    from: '2026-05-07T00:00:00.000Z',
    to: '2026-05-13T12:00:00.000Z',
    start_equity: 100_000,
    end_equity: 102_989.7,
    pnl: 2_989.7,
  })
  expect(found.returns.day.map(({ start, pnl, after_gap: gap }) => [start, pnl, gap])).toEqual([
    ['2026-05-09', 1_000, false],
    ['2026-05-10', -1_010, false],
    ['2026-05-11', 2_999.7, false],
    ['2026-05-12', 0, false],
  ])
  expect(found.returns.day.map((day) => day.return?.toFixed(6))).toEqual([
    '0.010000',
    '-0.010000',
    '0.030000',
    '0.000000',
  ])
  expect(found.returns.week).toMatchObject([
    { start: '2026-05-04', pnl: -10 },
    { start: '2026-05-11', pnl: 2_999.7 },
  ])
  expect(found.returns.month).toMatchObject([{ start: '2026-05-01', pnl: 2_989.7 }])
  expect(found.figures).toMatchObject({ days: 4, trades: 0, win_rate: null })
  expect(found.figures.total_return).toBeCloseTo(0.029897, 12)
  expect(found.figures.max_drawdown).toBeCloseTo(0.01, 12)
  // Returns of 1 %, −1 %, 3 % and 0 %: the mean is 0.75 %, the deviation √(8.75 ÷ 3) %.
  expect(found.figures.sharpe).toBeCloseTo((0.75 / Math.sqrt(8.75 / 3)) * Math.sqrt(365), 9)
})

test('[PERF-6] stretches without a record are gaps of the curve', async () => {
  const { store, report } = await openAnalytics()
  for (let hour = 36; hour >= 1; hour--) {
    if (hour < 10 || hour > 20)
      for (const quarter of [0, 15, 30, 45])
        record(store, NOW - hour * HOUR + quarter * 60_000, { equity: 1_000 })
  }
  expect((await report()).gaps).toEqual([
    { from: '2026-05-12T16:00:00.000Z', to: '2026-05-13T03:00:00.000Z' },
  ])
})

test('[PERF-7] a period without a record is an empty report', async () => {
  const { report } = await openAnalytics()
  const found = await report('period=All')
  expect(found).toMatchObject({ curve: [], pnl: 0, start_equity: 100_000, strategies: [], rolling: [] })
  expect(found.figures).toMatchObject({ total_return: 0, sharpe: null, days: 0, expectancy: null })
})

test('[PERF-7] a year of samples is answered with at most 2,200 points', async () => {
  const samplesFile = join(temporaryFolder(), 'samples.sqlite')
  const { store, report } = await openAnalytics({ samplesFile })
  record(store, NOW, { equity: 100_000 })
  const database = new DatabaseSync(samplesFile)
  database.exec(`
    WITH RECURSIVE hours(hour) AS (VALUES (1) UNION ALL SELECT hour + 1 FROM hours WHERE hour < 365 * 24)
    INSERT INTO samples_1h
    SELECT 1, ${NOW / 1000} - hour * 3600, 100000 + hour % 7, 99990, 100010 FROM hours`)
  database.close()
  const found = await report('period=All')
  expect(found.curve.length).toBeGreaterThan(2_100)
  expect(found.curve.length).toBeLessThanOrEqual(2_200)
  expect(found.returns.day).toHaveLength(366)
  expect(found.rolling.filter(({ sharpe }) => sharpe !== null)).toHaveLength(366 - 30)
})

test('[PERF-30] an account of half an hour has a point a minute in every period', async () => {
  const { store, report } = await openAnalytics()
  for (let minute = 30; minute > 0; minute--)
    record(store, NOW - minute * 60_000, { equity: 100_000 + minute })
  for (const period of ['1D', '3M', 'All']) {
    const { from, step_s, curve } = await report(`period=${period}`)
    expect([period, from, step_s, curve.length]).toEqual([period, '2026-05-13T11:30:00.000Z', 60, 30])
  }
})

test.each([-999, -1, 0, 1, 400, 1_000])(
  '[PERF-42] %i ms after a step began, the times of the curves rise',
  async (ms) => {
    const now = NOW + ms
    const { store, report } = await openAnalytics({ now, market: steadyMarket(now) })
    for (let second = -180; second <= 2; second++)
      record(store, NOW + second * 1000, { equity: 100_000 + second, 'strategy.MANUAL.pnl': second })
    const { curve, strategies, hold } = await report('period=1D&hold=BTCUSDT-PERP')
    const curves = [curve, strategies[0]?.points ?? [], hold?.points ?? []].map((points) =>
      points.map(([at]) => at),
    )
    for (const times of curves) {
      expect(times.length).toBeGreaterThan(2)
      expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
      expect(times.at(-1)).toBe(Math.ceil(now / 1000))
    }
  },
)

/** Bars of a minute, up to the one that began last. */
function steadyMarket(now: number): PerformanceOptions['market'] {
  return {
    bars: async ({ instrument, interval, limit }) => {
      const bars = createColumns(instrument, interval, limit)
      const last = Math.floor(now / 60_000)
      for (let index = 0; index < limit; index++) {
        bars.start[index] = (last - limit + 1 + index) * 60_000
        for (const column of [bars.open, bars.high, bars.low, bars.close]) column[index] = 50_000
      }
      return { bars, more: false }
    },
  }
}

test('[PERF-9] costs are summed exactly, slippage against the mid price at the decision', async () => {
  const { history, store, report } = await openAnalytics()
  record(store, NOW - 5 * HOUR, { equity: 100_000 })
  record(store, NOW - HOUR, { equity: 99_992.3 })
  const fills = [
    aFill(NOW - 4 * HOUR, { price: 50_001, fee: 0.1 }),
    aFill(NOW - 3 * HOUR, { orderId: idFrom('O-2'), side: 'SELL', price: 49_998, fee: 0.2, realised: -0.3 }),
    aFill(NOW - 2 * HOUR, { orderId: idFrom('O-3'), fee: 0.3 }),
    // Before the record began.
    aFill(NOW - 9 * HOUR, { orderId: idFrom('O-4'), fee: 99 }),
  ].toSorted((one, other) => one.at - other.at)
  const decisions = [
    { orderId: idFrom<OrderId>('O-1'), mid: 50_000 },
    { orderId: idFrom<OrderId>('O-2'), mid: 50_000 },
    { orderId: idFrom<OrderId>('O-3'), mid: null },
  ]
  const funding = [
    {
      strategy: idFrom<StrategyId>('MANUAL'),
      instrument: idFrom<InstrumentId>('BTCUSDT-PERP'),
      amount: -0.4,
      at: instantFromMs(NOW - 2 * HOUR),
      seq: seqFrom(2),
    },
  ]
  history.add({ fills, decisions, funding }, { seq: 2, chain: 1 })
  const found = await report('period=1D')
  // Bought 1 above and sold 2 below the mid, 0.1 each.
  expect(found.costs).toEqual({
    gross: -6.4,
    fees: 0.6,
    slippage: 0.3,
    measured_fills: 2,
    fills: 3,
    funding: -0.4,
    net: -7.7,
  })
  expect(found.instruments).toEqual([
    { instrument: 'BTCUSDT-PERP', pnl: -1.3, trades: 0, fees: 0.6, funding: -0.4 },
  ])
})

test('[PERF-10] each strategy has its result, and one alone is measured on the equity of the account', async () => {
  const { history, store, desk, report, get } = await openAnalytics()
  const settings = { strategyType: 'momentum', description: '', config: {} }
  await desk.submit({ type: 'AddStrategy', name: 'Trend', ...settings })
  // A record begins at any second.
  record(store, NOW - 2 * DAY + 64_000, { equity: 100_000, 'strategy.S-1.pnl': 50, 'strategy.MANUAL.pnl': 0 })
  record(store, NOW - DAY, { equity: 100_400, 'strategy.S-1.pnl': 350, 'strategy.MANUAL.pnl': 100 })
  // Idle: only the account is sampled.
  record(store, NOW - HOUR, { equity: 100_300, 'strategy.MANUAL.pnl': 0 })
  const own = { strategy: idFrom<StrategyId>('S-1') }
  history.add({ closed: [aTrade(NOW - DAY, 300, own), aTrade(NOW - 2 * HOUR, -100)] }, { seq: 1, chain: 1 })
  const all = await report()
  expect(all.strategies).toMatchObject([
    { strategy: 'S-1', name: 'Trend', pnl: 300, trades: 1, win_rate: 1 },
    { strategy: 'MANUAL', pnl: 0, trades: 1, win_rate: 0 },
  ])
  expect(all.figures).toMatchObject({ trades: 2, win_rate: 0.5, payoff: 3, expectancy: 100 })
  const one = await report('period=1W&strategy=S-1')
  expect(one).toMatchObject({ start_equity: 100_000, end_equity: 100_300, pnl: 300 })
  expect(one.figures).toMatchObject({ trades: 1, win_rate: 1, max_drawdown: 0 })
  expect(one.figures.total_return).toBeCloseTo(0.003, 12)
  expect(one.strategies).toHaveLength(1)
  expect(await get('/api/performance?strategy=S-9')).toMatchObject({
    status: 404,
    body: { errors: [{ field: 'query.strategy' }] },
  })
})

test('[PERF-10] a record of a few seconds has the results of its strategies', async () => {
  const { store, report } = await openAnalytics()
  record(store, NOW - 50_000, { equity: 100_000, 'strategy.MANUAL.pnl': 0 })
  record(store, NOW - 20_000, { equity: 99_990, 'strategy.MANUAL.pnl': -10 })
  expect(await report('period=1D')).toMatchObject({
    pnl: -10,
    strategies: [{ strategy: 'MANUAL', pnl: -10 }],
  })
})

test('[PERF-40] the result of a strategy is the same in every step', async () => {
  const { store, desk, report } = await openAnalytics()
  const settings = { strategyType: 'momentum', description: '', config: {} }
  await desk.submit({ type: 'AddStrategy', name: 'Trend', ...settings })
  const begin = NOW - 40 * DAY - 5 * HOUR
  record(store, begin, { equity: 100_000, 'strategy.MANUAL.pnl': 0 })
  // Begins to trade in the first step of long curves, and earns in the hour before the server stops.
  for (const [minutes, result] of [
    [41, 30],
    [70, 80],
  ] as const) {
    const at = begin + minutes * 60_000
    record(store, at, { equity: 100_000 + result, 'strategy.MANUAL.pnl': 0, 'strategy.S-1.pnl': result })
  }
  record(store, NOW - 60_000, { equity: 100_200, 'strategy.MANUAL.pnl': 20, 'strategy.S-1.pnl': 180 })
  for (const period of ['3M', 'YTD', 'All']) {
    const { pnl, strategies } = await report(`period=${period}`)
    expect([period, pnl, strategies.map((each) => [each.strategy, each.pnl])]).toEqual([
      period,
      200,
      [
        ['S-1', 180],
        ['MANUAL', 20],
      ],
    ])
  }
})

test('[PERF-41] hours without a record are gaps of a curve in longer steps too', async () => {
  const { store, report } = await openAnalytics()
  const begin = NOW - 40 * DAY
  // From 12:00 to 17:10 and from 22:55 on: every step of four hours has a sample.
  for (const minutes of [0, 60, 120, 180, 240, 300, 310, 655, 660])
    record(store, begin + minutes * 60_000, { equity: 1_000 })
  const { step_s, gaps } = await report('period=3M')
  expect(step_s).toBe(4 * 3600)
  expect(gaps[0]).toEqual({ from: '2026-04-03T18:00:00.000Z', to: '2026-04-03T22:00:00.000Z' })
})

test('[PERF-8] rolling figures cover thirty days, also those before the period', async () => {
  const { history, store, report } = await openAnalytics()
  for (let day = 40; day >= 0; day--) record(store, NOW - day * DAY, { equity: 100_000 + (day % 3) * 10 })
  history.add({ closed: [aTrade(NOW - 20 * DAY, 5), aTrade(NOW - 10 * DAY, -5)] }, { seq: 1, chain: 1 })
  const { rolling } = await report()
  expect(rolling).toHaveLength(7)
  expect(rolling.at(-1)).toMatchObject({ day: '2026-05-13', win_rate: 0.5 })
  expect(rolling.at(-1)?.sharpe).not.toBeNull()
})

test('[PERF-11] holding an instrument is the same equity in it', async () => {
  const market: PerformanceOptions['market'] = {
    bars: async ({ instrument, interval, limit }) => {
      const bars = createColumns(instrument, interval, 2)
      bars.start.set([NOW - 2 * HOUR, NOW - HOUR])
      bars.open.set([100, 110])
      bars.close.set([110, 90])
      // Two hours of minutes.
      expect(limit).toBe(122)
      return { bars, more: false }
    },
  }
  const { store, report, get } = await openAnalytics({ market })
  record(store, NOW - 2 * HOUR, { equity: 100_000 })
  record(store, NOW - HOUR, { equity: 100_000 })
  const { hold } = await report('period=1D&hold=BTCUSDT')
  expect(hold).toMatchObject({
    instrument: 'BTCUSDT',
    points: [
      [expect.any(Number), 110_000],
      [expect.any(Number), 90_000],
    ],
  })
  expect(hold?.total_return).toBeCloseTo(-0.1, 12)
  expect(await get('/api/performance?hold=NONE')).toMatchObject({
    status: 404,
    body: { errors: [{ field: 'query.hold' }] },
  })
})

test('[PERF-12] a run is laid over the record for the time that both have', async () => {
  const at = (days: number) => new Date(NOW - days * DAY).toISOString()
  const result = {
    equity_curve: [
      { at: at(3), equity: 10_000, drawdown: 0 },
      { at: at(2), equity: 10_500, drawdown: 0 },
      { at: at(1), equity: 10_100, drawdown: 0 },
    ],
    trades: [
      { closed_at: at(2.5), pnl: 9 },
      { closed_at: at(1.5), pnl: -400 },
    ],
  }
  const request = JSON.stringify({ from: at(4), initial_cash: 10_000 })
  const backtests = {
    // Only the parts that are read.
    find: async (id: number) => (id === 7 ? { row: { request }, result: JSON.stringify(result) } : undefined),
  } as unknown as PerformanceOptions['backtests']
  const { history, store, report, get } = await openAnalytics({ backtests })
  record(store, NOW - 2 * DAY, { equity: 100_000 })
  record(store, NOW - 1.5 * DAY, { equity: 98_000 })
  record(store, NOW - HOUR, { equity: 99_000 })
  history.add({ closed: [aTrade(NOW - 1.2 * DAY, 30)] }, { seq: 1, chain: 1 })
  const { run } = await report('period=1W&backtest=7')
  expect(run).toMatchObject({ backtest: 7, from: at(2), to: at(1) })
  expect(run?.live).toMatchObject({ trades: 1, expectancy: 30 })
  expect(run?.live.total_return).toBeCloseTo(-0.02, 12)
  expect(run?.run).toMatchObject({ trades: 1, expectancy: -400 })
  expect(run?.run.total_return).toBeCloseTo(10_100 / 10_500 - 1, 12)
  expect(run?.points).toEqual([[(NOW - DAY) / 1000, expect.closeTo(100_000 * (10_100 / 10_500), 6)]])
  expect(await get('/api/performance?backtest=8')).toMatchObject({
    status: 404,
    body: { errors: [{ field: 'query.backtest' }] },
  })
})

test('[PERF-13] the trades of a period come in pages, latest first, by strategy and instrument', async () => {
  const { history, store, get } = await openAnalytics()
  record(store, NOW - 3 * DAY, { equity: 100_000 })
  const closed = [60, 50, 40, 30, 20, 10].map((hours, index) =>
    aTrade(NOW - hours * HOUR, index, {
      id: idFrom(`P-${index}`),
      instrument: idFrom(index % 2 === 0 ? 'BTCUSDT' : 'ETHUSDT'),
    }),
  )
  history.add({ closed: [aTrade(NOW - 400 * DAY, 1), ...closed] }, { seq: 1, chain: 1 })
  const page = async (query: string) => (await get(`/api/performance/trades?period=1W&${query}`)).body
  const ids = ({ trades }: { trades: { id: string }[] }) => trades.map(({ id }) => id)
  const first = await page('limit=4')
  expect(ids(first)).toEqual(['P-5', 'P-4', 'P-3', 'P-2'])
  const second = await page(`limit=4&cursor=${first.next_cursor}`)
  expect([ids(second), second.next_cursor]).toEqual([['P-1', 'P-0'], undefined])
  expect(ids(await page('instrument=ETHUSDT'))).toEqual(['P-5', 'P-3', 'P-1'])
  expect(ids(await page('strategy=MANUAL&limit=1'))).toEqual(['P-5'])
})

test('[PERF-14] [PERF-15] [PERF-16] losses, correlations and scenarios have their numbers, or null with too few days', async () => {
  const { store, desk, get } = await openAnalytics()
  const settings = { strategyType: 'momentum', description: '', config: {} }
  await desk.submit({ type: 'AddStrategy', name: 'Trend', ...settings })
  await desk.submit({ type: 'AddStrategy', name: 'Slow', ...settings })
  record(store, NOW - 61 * DAY, { equity: 100_000, 'strategy.S-1.pnl': 0, 'strategy.S-2.pnl': 0 })
  const few = (await get('/api/performance/risk?period=All')).body
  expect(few.losses).toMatchObject([{ value_at_risk: null, kupiec_ratio: null }, {}, {}])
  let equity = 100_000
  for (let day = 60; day >= 0; day--) {
    const change = ((day * 37) % 11) - 5
    equity += change * 100
    const trend = equity - 100_000
    record(store, NOW - day * DAY, { equity, 'strategy.S-1.pnl': trend, 'strategy.S-2.pnl': -trend / 2 })
  }
  const { body } = await get('/api/performance/risk?period=All')
  expect(body).toMatchObject({ days: 62, open_positions: 0 })
  expect(body.losses.map(({ method }: { method: string }) => method)).toEqual([
    'historical',
    'parametric',
    'monte_carlo',
  ])
  for (const loss of body.losses) {
    expect(loss.value_at_risk).toBeGreaterThan(300)
    expect(loss.expected_shortfall).toBeGreaterThanOrEqual(loss.value_at_risk)
    expect(loss).toMatchObject({ days: 32, plausible: true })
  }
  expect(body.correlation.strategies).toMatchObject([{ name: 'Trend' }, { name: 'Slow' }])
  expect(body.correlation.rows).toEqual([
    [1, expect.closeTo(-1, 9)],
    [expect.closeTo(-1, 9), 1],
  ])
  expect(body.scenarios[0]).toEqual({ name: 'BTC −10 %', pnl: 0 })
})

test('[MON-400] the trading of a day is summed up beside Performance Analytics, with both ends of the day', async () => {
  const { history, file } = await openAnalytics()
  const day = { from: NOW, to: NOW + DAY }
  const times = [NOW - 1, NOW, NOW + DAY - 1, NOW + DAY]
  const orders = times.map((createdAt, index) => aFilledOrder(index + 1, createdAt))
  history.add(
    { orders, fills: times.map((at) => aFill(at, { fee: 0.1, value: 0.2, realised: -0.7 })) },
    { seq: 1, chain: 1 },
  )
  const thread = openPerformanceReader(file)
  onTestFinished(() => thread.close())
  expect(await thread.day(day)).toEqual({
    fills: 2,
    volume: 0.4,
    fees: 0.2,
    realised: -1.4,
    ordersByStatus: { FILLED: 2, CANCELLED: 0, REJECTED: 0 },
  })
})

test('[PERF-17] a thread of its own gives the same answers, and a failed read fails alone', async () => {
  const { history, file } = await openAnalytics()
  history.add({ closed: [aTrade(NOW - HOUR, 12.5)], fills: [aFill(NOW - HOUR)] }, { seq: 1, chain: 1 })
  const [here, thread] = [openFileReader(file), openPerformanceReader(file)]
  onTestFinished(() => thread.close())
  const query = { from: NOW - DAY, to: NOW, rollingFrom: NOW - DAY }
  const losses = { returns: Array.from({ length: 40 }, (_, day) => Math.sin(day) / 100), seed: 3 }
  expect(await thread.summarise(query)).toEqual(await here.summarise(query))
  expect(await thread.page({ ...query, limit: 5 })).toEqual(await here.page({ ...query, limit: 5 }))
  expect(await thread.losses(losses)).toEqual(await here.losses(losses))
  const missing = openPerformanceReader(join(temporaryFolder(), 'missing.sqlite'))
  onTestFinished(() => missing.close())
  await expect(missing.summarise(query)).rejects.toThrow('unable to open database file')
})

test('[PERF-300] after a restart of the engine the stress figures follow its new positions', async () => {
  const workers: Worker[] = []
  const desk = await startDeskClient({
    paths: deskPaths(),
    seed: 1,
    logger: silentLog,
    startWorker: (options) => {
      const worker = startEngineThread(options)
      workers.push(worker)
      return worker
    },
  })
  const store = openSamplesStore(':memory:')
  const file = join(temporaryFolder(), 'orders.sqlite')
  openOrderHistory(file).close()
  const performance = openPerformance({ desk, samples: createSamples(store), reader: openFileReader(file) })
  onTestFinished(async () => {
    await performance.close()
    store.close()
    await desk.close()
  })
  await workers[0]?.terminate()
  await until(() => expect(desk.views.haltReason).toBeNull())
  expect(workers).toHaveLength(2)
  await desk.submit(anOrder({ quantity: 0.01 }))
  await until(() => expect(desk.views.positions()).toHaveLength(1))
  const risk = await performance.risk('1D')
  expect(risk.open_positions).toBe(1)
  expect(risk.scenarios[0]).toMatchObject({ name: 'BTC −10 %', pnl: expect.any(Number) })
  expect(risk.scenarios[0]?.pnl).toBeLessThan(0)
})

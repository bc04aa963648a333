import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  type BacktestReport,
  type BarColumns,
  createBacktest,
  createInstruments,
  idFrom,
  standardInstruments,
} from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { conclude, median, rounded } from './figures.ts'

/**
 * Ten million 1-minute bars through the whole engine, trading each crossing of two averages, beside a plain loop over the
 * same column that only counts the crossings. Both must find the same number of them.
 */

const BARS = 10_000_000
const ROUNDS = 5
/** A loop this short is measured several times, since the clock is coarse. */
const PLAIN_TIMES = 10
/** In percent of the plain loop's bars per second. */
const SHARE_LIMIT = 3
const BESIDE_LIMIT_MB = 4
const FAST = 10
const SLOW = 20

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const instruments = createInstruments([standardInstruments().get(idFrom('BTCUSDT'))])

const columns = walkBars({ rows: BARS, seed: 7, startAt: Date.UTC(2005, 0, 1) })
const small = firstRows(columns, BARS / 10)
countCrossings(small.close)
runBacktest(small)

const rounds = Array.from({ length: ROUNDS }, () => {
  const plain = timed(() => countCrossings(columns.close), PLAIN_TIMES)
  const whole = timed(() => runBacktest(columns), 1)
  if (whole.result.orders !== plain.result) {
    throw new Error(`the backtest traded ${whole.result.orders} crossings of ${plain.result}`)
  }
  return { plain: plain.seconds, whole: whole.seconds, report: whole.result }
})
const plainS = median(rounds.map(({ plain }) => plain))
const wholeS = median(rounds.map(({ whole }) => whole))
const report = rounds[0]?.report
const crossings = report?.orders ?? 0

console.table({
  'a plain loop that counts the crossings': {
    'bars/s': Math.round(BARS / plainS),
    crossings,
    'ns per bar': rounded((plainS / BARS) * 1e9),
  },
  'the engine: risk, matching, fees, books': {
    'bars/s': Math.round(BARS / wholeS),
    crossings,
    'ns per bar': rounded((wholeS / BARS) * 1e9),
  },
})
console.log(
  `${report?.events} events; ${rounded((wholeS / crossings) * 1e6)} µs for each crossing, all bars between included`,
)

const memory = { 'a million bars': memoryOf(small), 'ten million bars': memoryOf(columns) }
console.table(memory)
conclude([
  {
    what: 'share of the plain loop, in percent (aim 5)',
    figure: median(rounds.map(({ plain, whole }) => (plain / whole) * 100)),
    limit: SHARE_LIMIT,
    must: 'reach',
  },
  {
    what: 'MB beside the columns with ten million bars, and as few with one',
    figure: Math.max(...Object.values(memory).map((held) => held['MB beside the columns'])),
    limit: BESIDE_LIMIT_MB,
    must: 'not exceed',
  },
])

/** This thread's time, which on an idle machine is the clock's: others may be busy too. */
function timed<Result>(work: () => Result, times: number): { result: Result; seconds: number } {
  const before = process.threadCpuUsage()
  let result = work()
  for (let again = 1; again < times; again++) result = work()
  const { user, system } = process.threadCpuUsage(before)
  return { result, seconds: (user + system) / 1e6 / times }
}

/**
 * What the strategy does, and nothing else: the averages begin at the first close and count from the SLOW-th on. A spot
 * instrument is not sold short, so a crossing down trades only after one up.
 */
function countCrossings(close: Float64Array): number {
  const fastWeight = 2 / (FAST + 1)
  const slowWeight = 2 / (SLOW + 1)
  let fast = close[0] ?? 0
  let slow = fast
  let side = -1
  let crossings = 0
  for (let row = 1; row < close.length; row++) {
    const price = close[row] ?? 0
    fast += fastWeight * (price - fast)
    slow += slowWeight * (price - slow)
    if (row < SLOW - 1) continue
    const now = sideOf(fast, slow)
    if (now === 0 || now === side) continue
    crossings += 1
    side = now
  }
  return crossings
}

function sideOf(fast: number, slow: number): number {
  if (fast > slow) return 1
  return fast < slow ? -1 : 0
}

function runBacktest(bars: BarColumns, onMiddle?: () => void): BacktestReport {
  const made = createBacktest({
    instruments,
    bars: [bars],
    strategy: {
      type: 'momentum',
      config: {
        instrument: 'BTCUSDT',
        interval: '1m',
        fast_bars: FAST,
        slow_bars: SLOW,
        threshold_bps: 0,
        order_value: 100,
      },
    },
    capital: 1_000_000,
    limits: { maxOrderSize: 10_000, maxPositionSize: 50_000, maxDailyLoss: 100_000, maxPositions: 10 },
    slippageBps: 0.5,
    latencyMs: 0,
    seed: 1,
  })
  if (!made.ok) throw new Error(made.reason.code)
  made.value.advance(bars.length - 1)
  onMiddle?.()
  made.value.advance(1)
  return made.value.report()
}

/** What is held at the end of a run, before it is let go. */
function memoryOf(bars: BarColumns) {
  collectGarbage()
  const before = process.memoryUsage()
  let held = 0
  runBacktest(bars, () => {
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    held = heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers
  })
  return { 'MB beside the columns': rounded(Math.max(held, 0) / 1e6) }
}

function firstRows(bars: BarColumns, length: number): BarColumns {
  const cut = (column: Float64Array) => column.subarray(0, length)
  return {
    ...bars,
    length,
    start: cut(bars.start),
    open: cut(bars.open),
    high: cut(bars.high),
    low: cut(bars.low),
    close: cut(bars.close),
    volume: cut(bars.volume),
  }
}

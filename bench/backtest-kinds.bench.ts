import {
  type BacktestOptions,
  type BarColumns,
  createBacktest,
  createInstruments,
  createRandom,
  generateHistory,
  idFrom,
  instant,
  standardInstruments,
} from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { conclude, median } from './figures.ts'

/**
 * The four built-in strategies over 1-minute bars: with what changes nothing skipped, and with every quote and trade of
 * every bar through the engine. Both must give the same digest. A row is one minute of all instruments.
 */

const DAYS = 14
const ROUNDS = 5
const MINUTES_PER_DAY = 1_440
const FROM = instant(Date.UTC(2024, 0, 1))
/** Rows per second of arbitrage in nine instruments, as a multiple of playing every quote. */
const ARBITRAGE_LIMIT = 6

const PERPETUALS = ['BTC', 'ETH', 'SOL'].flatMap((coin) =>
  ['', '.BYBIT', '.OKX'].map((venue) => `${coin}USDT-PERP${venue}`),
)
const ONE = 'BTCUSDT-PERP'
const runs: Record<string, BacktestOptions> = {
  momentum: backtestOf('momentum', { instrument: ONE, interval: '1m' }, history([ONE])),
  'mean reversion': backtestOf('mean_reversion', { instrument: ONE, interval: '1m' }, history([ONE])),
  'market making, prices that move': backtestOf('market_making', { instrument: ONE }, history([ONE])),
  'market making, calm prices': backtestOf('market_making', { instrument: ONE }, [
    walkBars({ rows: DAYS * MINUTES_PER_DAY, seed: 7, instrument: ONE, moveTicks: 30, startAt: FROM }),
  ]),
  'arbitrage, nine instruments': backtestOf('arbitrage', { instruments: PERPETUALS }, history(PERPETUALS)),
}

const ratios = new Map<string, number>()
const rows: Record<string, object> = {}
for (const [name, options] of Object.entries(runs)) {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const fast = timed(options)
    const slow = timed({ ...options, isStepByStep: true })
    if (fast.report.digest !== slow.report.digest) throw new Error(`two results of ${name}`)
    return { fast: fast.rowsPerS, slow: slow.rowsPerS, orders: fast.report.orders }
  })
  const ratio = median(rounds.map(({ fast, slow }) => fast / slow))
  ratios.set(name, ratio)
  rows[name] = {
    'rows/s': Math.round(median(rounds.map(({ fast }) => fast))),
    'every quote played': Math.round(median(rounds.map(({ slow }) => slow))),
    ratio: Number(ratio.toPrecision(3)),
    orders: rounds[0]?.orders,
  }
}
console.table(rows)
conclude([
  {
    what: 'arbitrage as a multiple of playing every quote',
    figure: ratios.get('arbitrage, nine instruments') ?? 0,
    limit: ARBITRAGE_LIMIT,
    must: 'reach',
  },
])

/** By this thread's time, since others may use the machine too. */
function timed(options: BacktestOptions) {
  const made = createBacktest(options)
  if (!made.ok) throw new Error(made.reason.code)
  const run = made.value
  const before = process.threadCpuUsage()
  run.advance(run.rows)
  const { user, system } = process.threadCpuUsage(before)
  return { rowsPerS: run.rows / ((user + system) / 1e6), report: run.report() }
}

function backtestOf(type: string, config: Record<string, unknown>, bars: BarColumns[]): BacktestOptions {
  return {
    instruments: createInstruments(bars.map(({ instrument }) => standardInstruments().get(instrument))),
    bars,
    strategy: { type, config },
    capital: 100_000,
    limits: { maxOrderSize: 10_000, maxPositionSize: 50_000, maxDailyLoss: 100_000, maxPositions: 10 },
    slippageBps: 0.5,
    latencyMs: 0,
    seed: 1,
  }
}

/** The generated history of the named instruments, as the catalog of a new server has it. */
function history(names: readonly string[]): BarColumns[] {
  const instruments = createInstruments(names.map((name) => standardInstruments().get(idFrom(name))))
  const days = [...generateHistory({ instruments, random: createRandom(3), from: FROM, days: DAYS })]
  return instruments.all.map(({ id }, nth) => ({
    instrument: id,
    interval: '1m',
    length: DAYS * MINUTES_PER_DAY,
    start: joined(days.map(({ bars }) => bars[nth]?.start)),
    open: joined(days.map(({ bars }) => bars[nth]?.open)),
    high: joined(days.map(({ bars }) => bars[nth]?.high)),
    low: joined(days.map(({ bars }) => bars[nth]?.low)),
    close: joined(days.map(({ bars }) => bars[nth]?.close)),
    volume: joined(days.map(({ bars }) => bars[nth]?.volume)),
  }))
}

function joined(parts: readonly (Float64Array | undefined)[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...(part ?? [])]))
}

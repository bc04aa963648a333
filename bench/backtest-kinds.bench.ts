import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BacktestOptions, BarColumns } from '@binnacle/engine'
import * as engine from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { conclude, type Limit, median } from './figures.ts'

/**
 * The four built-in strategies over 1-minute bars: with what changes nothing skipped, and with every quote and trade of
 * every bar through the engine. Both must give the same digest. A row is one minute of all instruments.
 * Not counted: each version first runs for a second, since the first runs are mostly spent on compiling. A figure is that
 * of at least a second of runs: one of momentum takes a few milliseconds, as long as a garbage collection.
 * `BINNACLE_BENCH_OLD_ENGINE` names the folder `packages/engine` of an earlier version, which is then measured in turns
 * with this one.
 */

type Engine = Pick<typeof engine, 'createBacktest' | 'createInstruments' | 'standardInstruments'>

const { createInstruments, createRandom, generateHistory, idFrom, instantFromMs, standardInstruments } =
  engine
const DAYS = 14
const ROUNDS = Number(process.env.BINNACLE_BENCH_ROUNDS ?? 5)
/** CPU time of the runs of a figure, and of those before the first that are not counted. */
const MEASURED_S = 1
const MINUTES_PER_DAY = 1_440
const FROM = instantFromMs(Date.UTC(2024, 0, 1))
/** Rows per second of arbitrage in nine instruments, as a multiple of playing every quote. */
const ARBITRAGE_LIMIT = 6
/** Rows per second of market making and arbitrage, as a multiple of the earlier version. */
const OLD_LIMIT = 10
const WITH_ORDERS = [
  'market making, prices that move',
  'market making, calm prices',
  'arbitrage, nine instruments',
]

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

const old = await oldEngine()
const limits: Limit[] = []
const rows: Record<string, object> = {}
for (const [name, options] of Object.entries(runs)) {
  measure(engine, options)
  measure(engine, { ...options, isStepByStep: true })
  if (old) measure(old, options)
  const rounds = Array.from({ length: ROUNDS }, () => {
    const fast = measure(engine, options)
    const slow = measure(engine, { ...options, isStepByStep: true })
    const before = old && measure(old, options)
    if (fast.report.digest !== slow.report.digest) throw new Error(`two results of ${name}`)
    return { fast: fast.rowsPerS, slow: slow.rowsPerS, old: before?.rowsPerS, orders: fast.report.orders }
  })
  const ratio = median(rounds.map(({ fast, slow }) => fast / slow))
  const gain = old && median(rounds.map(({ fast, old: before = 0 }) => fast / before))
  rows[name] = {
    'rows/s': Math.round(median(rounds.map(({ fast }) => fast))),
    'every quote played': Math.round(median(rounds.map(({ slow }) => slow))),
    ratio: Number(ratio.toPrecision(3)),
    ...(gain && {
      'earlier version': Math.round(median(rounds.map(({ old: before = 0 }) => before))),
      gain: Number(gain.toPrecision(3)),
    }),
    orders: rounds[0]?.orders,
  }
  if (name.startsWith('arbitrage')) {
    const what = 'arbitrage as a multiple of playing every quote'
    limits.push({ what, figure: ratio, limit: ARBITRAGE_LIMIT, must: 'reach' })
  }
  if (gain && WITH_ORDERS.includes(name)) {
    limits.push({
      what: `${name}: a multiple of the earlier version`,
      figure: gain,
      limit: OLD_LIMIT,
      must: 'reach',
    })
  }
}
console.table(rows)
conclude(limits)

async function oldEngine(): Promise<Engine | null> {
  const folder = process.env.BINNACLE_BENCH_OLD_ENGINE
  if (folder === undefined) return null
  return await import(pathToFileURL(join(resolve(folder), 'src/index.ts')).href)
}

/** Runs until the measured time is over. */
function measure(version: Engine, options: BacktestOptions) {
  let [rows, seconds] = [0, 0]
  for (;;) {
    const run = timed(version, options)
    rows += run.rows
    seconds += run.seconds
    if (seconds >= MEASURED_S) return { rowsPerS: rows / seconds, report: run.report }
  }
}

/** By this thread's time, since others may use the machine too. The earlier version has instruments of its own. */
function timed({ createBacktest, ...its }: Engine, { instruments, ...options }: BacktestOptions) {
  const listed = instruments.all.map(({ id }) => its.standardInstruments().get(id))
  const made = createBacktest({ ...options, instruments: its.createInstruments(listed) })
  if (!made.ok) throw new Error(made.reason.code)
  const run = made.value
  const before = process.threadCpuUsage()
  run.advance(run.rows)
  const { user, system } = process.threadCpuUsage(before)
  return { seconds: (user + system) / 1e6, rows: run.rows, report: run.report() }
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

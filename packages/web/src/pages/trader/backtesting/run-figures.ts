import type { Backtest, BacktestResult, BacktestTrade, EquityPoint } from '@binnacle/contract'
import { INTERVAL_MS } from './trade-window.ts'

/** The returns of one year, as fractions; undefined where the run has no bars. */
export interface YearReturns {
  year: number
  /** January first. */
  months: readonly (number | undefined)[]
  total: number
}

/**
 * BT-20: each from the last point of the month before, or the capital, to its own last point. A point is at the end of
 * its bar, so that one at midnight belongs to the day before.
 */
export function monthlyReturns(capital: number, curve: readonly EquityPoint[]): YearReturns[] {
  const ends = new Map<number, number>()
  for (const { at, equity } of curve) {
    const last = new Date(Date.parse(at) - 1)
    ends.set(last.getUTCFullYear() * 12 + last.getUTCMonth(), equity)
  }
  const years = new Map<number, { months: (number | undefined)[]; start: number; end: number }>()
  let before = capital
  for (const [index, end] of ends) {
    const year = Math.floor(index / 12)
    const row = years.get(year) ?? { months: Array.from({ length: 12 }, () => undefined), start: before, end }
    row.months[index % 12] = end / before - 1
    row.end = end
    years.set(year, row)
    before = end
  }
  return [...years].map(([year, { months, start, end }]) => ({ year, months, total: end / start - 1 }))
}

/** The best and the worst month of a run. */
export function extremesOf(years: readonly YearReturns[]): { best: number; worst: number } | undefined {
  const months = years.flatMap((year) => year.months).filter((value) => value !== undefined)
  return months.length === 0 ? undefined : { best: Math.max(...months), worst: Math.min(...months) }
}

export interface ResultBin {
  from: number
  to: number
  count: number
}

const MAX_BINS = 18
const STEPS = [1, 2, 2.5, 5, 10]

/** BT-21: results of trades in bins of a round width; zero is the border of two bins, and counts as above it. */
export function resultBins(results: readonly number[]): ResultBin[] {
  if (results.length === 0) return []
  const low = Math.min(0, ...results)
  const high = Math.max(0, ...results)
  const width = roundUp((high - low) / (MAX_BINS - 2) || 1)
  const first = Math.floor(low / width)
  const last = Math.floor(high / width)
  const bins = Array.from({ length: last - first + 1 }, (_, index) => ({
    from: (first + index) * width,
    to: (first + index + 1) * width,
    count: 0,
  }))
  for (const result of results) {
    const bin = bins[Math.floor(result / width) - first]
    if (bin) bin.count += 1
  }
  return bins
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundUp(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width))
  return (STEPS.find((step) => step * power >= width) ?? 10) * power
}

export interface RunCosts {
  /** What the run earned before fees and funding. */
  gross: number
  fees: number
  /** Received when positive. */
  funding: number
  net: number
}

/** BT-22 */
export function costsOf({ statistics, final_equity: equity }: Summary, capital: number): RunCosts {
  const { fees, funding } = statistics
  const net = equity - capital
  return { gross: net + fees - funding, fees, funding, net }
}

type Summary = Pick<BacktestResult, 'statistics' | 'final_equity'>

/** BT-18: as long as the rest takes at the pace so far; undefined before there is one. */
export function timeLeftMs(
  run: { progress: number; started_at?: string | null | undefined },
  now: number,
): number | undefined {
  if (run.progress <= 0 || !run.started_at) return undefined
  const gone = Math.max(0, now - Date.parse(run.started_at))
  return (gone * (1 - run.progress)) / run.progress
}

export function countResults(trades: readonly BacktestTrade[]): { won: number; lost: number } {
  const won = trades.filter(({ pnl }) => pnl > 0).length
  return { won, lost: trades.filter(({ pnl }) => pnl < 0).length }
}

export interface MissingBars {
  /** The whole bars that the period has. */
  expected: number
  missingMs: number
}

/** BT-76: the market never closes, so that every bar of the period should be there; imported bars may have closed days. */
export function missingBars(
  { interval = '1m', from, to, data_set: dataSet }: Backtest['request'],
  bars: number,
): MissingBars | undefined {
  const length = INTERVAL_MS[interval]
  if (length === undefined || dataSet !== undefined) return undefined
  const expected = Math.floor(Date.parse(to) / length) - Math.ceil(Date.parse(from) / length)
  return bars < expected ? { expected, missingMs: (expected - bars) * length } : undefined
}

import type { BacktestResult, PerformanceReport } from '@binnacle/contract'
import {
  addTrade,
  type BarColumns,
  type EquitySample,
  INTERVAL_MS,
  measureEquity,
  nearestMoney,
  noTrades,
  ratiosOfTrades,
} from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
import { decimalToWire } from '#trading/decimal.wire.ts'
import { figuresToWire } from './compose-report.ts'
import type { EquityRecord } from './equity-record.ts'
import { curveSecond } from './period.ts'
import type { TradeFigures } from './trade-summary.ts'

/** PERF-11: the equity at the start in one instrument, bought at the open of its first bar. Null without bars. */
export function holdInstrument(
  { from, to, startEquity, interval }: EquityRecord,
  bars: BarColumns,
): PerformanceReport['hold'] {
  const length = INTERVAL_MS[interval]
  const first = bars.start.findIndex((start) => start + length > from)
  const bought = first < 0 ? undefined : bars.open[first]
  if (bought === undefined || bought <= 0) return null
  const starts = bars.start.slice(first).filter((start) => start < to)
  const points = Array.from(starts, (start, offset): [number, number] => {
    const value = (startEquity * (bars.close[first + offset] ?? bought)) / bought
    return [curveSecond(Math.min(start + length, to)), decimalToWire(value)]
  })
  const last = points.at(-1)?.[1] ?? startEquity
  return {
    instrument: bars.instrument,
    total_return: startEquity > 0 ? last / startEquity - 1 : 0,
    points,
  }
}

export interface ComparedRun {
  readonly id: number
  readonly capital: number
  /** The start of its period. */
  readonly from: number
  readonly result: Pick<BacktestResult, 'equity_curve' | 'trades'>
}

/** The time that a run and the record have in common; null without one. */
export function commonTime(record: EquityRecord, { from, result }: ComparedRun): TimeSpan | null {
  const ends = result.equity_curve.at(-1)?.at
  if (ends === undefined) return null
  const common = { from: Math.max(record.from, from), to: Math.min(record.to, Date.parse(ends)) }
  return common.from < common.to ? common : null
}

interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** PERF-12: both measured over the time in common, the run from the equity of the account at its start. */
export function compareRun(
  record: EquityRecord,
  { id, capital, from, result }: ComparedRun,
  common: TimeSpan,
  liveTrades: TradeFigures,
): NonNullable<PerformanceReport['run']> {
  const runPoints = result.equity_curve.map(({ at, equity }) => ({ at: Date.parse(at), equity, low: equity }))
  const run = partOf(runPoints, { at: from, equity: capital }, common)
  const live = partOf(record.samples, { at: record.from, equity: record.startEquity }, common)
  const sums = noTrades()
  for (const { closed_at: at, pnl } of result.trades) {
    const closed = Date.parse(at)
    if (closed >= common.from && closed < common.to) addTrade(sums, nearestMoney(pnl))
  }
  const scale = run.start > 0 ? live.start / run.start : 1
  return {
    backtest: id,
    from: isoTime(common.from),
    to: isoTime(common.to),
    live: figuresToWire(measureEquity({ at: common.from, equity: live.start }, live.points), liveTrades),
    run: figuresToWire(measureEquity({ at: common.from, equity: run.start }, run.points), {
      count: sums.count,
      ...ratiosOfTrades(sums),
    }),
    points: run.points.map(({ at, equity }) => [curveSecond(at), decimalToWire(equity * scale)]),
  }
}

/** The points of a span, and the equity it began with. */
function partOf(
  points: readonly EquitySample[],
  first: Pick<EquitySample, 'at' | 'equity'>,
  { from, to }: TimeSpan,
): { start: number; points: readonly EquitySample[] } {
  const start = points.findLast(({ at }) => at <= from) ?? first
  return { start: start.equity, points: points.filter(({ at }) => at > from && at <= to) }
}

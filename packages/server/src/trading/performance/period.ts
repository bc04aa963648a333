import type { ChartInterval, PerformancePeriod } from '@binnacle/contract'
import { INTERVAL_MS, MS_PER_DAY } from '@binnacle/engine'

/** The period in milliseconds, and the steps of its curves. All steps divide a UTC day, so that days end with one. */
export interface PeriodPlan {
  /** Zero: since the first record. */
  readonly from: number
  readonly to: number
  readonly interval: ChartInterval
  readonly strategyInterval: ChartInterval
}

const INTERVALS: Readonly<
  Record<PerformancePeriod, readonly [equity: ChartInterval, strategies: ChartInterval]>
> = {
  '1D': ['5m', '5m'],
  '1W': ['15m', '1h'],
  '1M': ['1h', '4h'],
  '3M': ['4h', '1d'],
  YTD: ['4h', '1d'],
  All: ['4h', '1d'],
}

/** A year in steps of four hours; longer records have a point a day. */
const MAX_FINE_MS = 366 * MS_PER_DAY

/** PERF-2: each begins at 00:00 UTC. `recordedFrom` is the time of the first record. */
export function planPeriod(
  period: PerformancePeriod,
  now: number,
  recordedFrom: number | undefined,
): PeriodPlan {
  const [interval, strategyInterval] = INTERVALS[period]
  const from = period === 'All' ? (recordedFrom ?? now) : startOf(period, now)
  const isLong = now - from > MAX_FINE_MS
  return { from, to: now, interval: isLong ? '1d' : interval, strategyInterval }
}

function startOf(period: Exclude<PerformancePeriod, 'All'>, now: number): number {
  const today = now - (now % MS_PER_DAY)
  const date = new Date(today)
  switch (period) {
    case '1D':
      return today
    case '1W':
      return today - 6 * MS_PER_DAY
    case '1M':
      return monthsBefore(date, 1)
    case '3M':
      return monthsBefore(date, 3)
    case 'YTD':
      return Date.UTC(date.getUTCFullYear(), 0, 1)
    default:
      return period satisfies never
  }
}

/** The same day of an earlier month, or its last one: three months before 31 May is 28 February. */
function monthsBefore(date: Date, months: number): number {
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() - months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay))
}

export function stepSeconds(interval: ChartInterval): number {
  return INTERVAL_MS[interval] / 1000
}

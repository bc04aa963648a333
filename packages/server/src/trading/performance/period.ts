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

/** By the time that a curve covers: the step of the equity and that of strategies. Longer records have a point a day. */
const STEPS: readonly (readonly [spanMs: number, equity: ChartInterval, strategies: ChartInterval])[] = [
  [MS_PER_DAY / 4, '1m', '1m'],
  [MS_PER_DAY, '5m', '5m'],
  [7 * MS_PER_DAY, '15m', '1h'],
  [32 * MS_PER_DAY, '1h', '4h'],
  [366 * MS_PER_DAY, '4h', '1d'],
]

/** PERF-2, PERF-30: each begins at 00:00 UTC. `recordedFrom` is the time of the first record. */
export function planPeriod(
  period: PerformancePeriod,
  now: number,
  recordedFrom: number | undefined,
): PeriodPlan {
  const from = period === 'All' ? (recordedFrom ?? now) : startOf(period, now)
  const spanMs = now - Math.max(from, recordedFrom ?? from)
  const [, interval, strategyInterval] = STEPS.find(([maxMs]) => spanMs <= maxMs) ?? [0, '1d', '1d']
  return { from, to: now, interval, strategyInterval }
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

/** PERF-42: a time of a curve as sent, in seconds. The step under way ends now, which is always after its start. */
export function curveSecond(at: number): number {
  return Math.ceil(at / 1000)
}

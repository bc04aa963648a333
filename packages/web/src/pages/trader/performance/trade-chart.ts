import type { ChartInterval, ClosedPosition } from '@binnacle/contract'
import { paths } from '#paths.ts'

const HOUR_MS = 3_600_000

/** The interval that shows trades of up to this length. */
const INTERVALS: readonly [maxMs: number, interval: ChartInterval][] = [
  [HOUR_MS, '1m'],
  [12 * HOUR_MS, '5m'],
  [48 * HOUR_MS, '15m'],
  [14 * 24 * HOUR_MS, '1h'],
]

type Trade = Pick<ClosedPosition, 'instrument' | 'opened_at' | 'closed_at'>

/** PERF-23: Market Data with the instrument of a trade at the time it was closed. */
export function chartOf({ instrument, opened_at: opened, closed_at: closed }: Trade): string {
  const heldMs = Date.parse(closed) - Date.parse(opened)
  const interval = INTERVALS.find(([maxMs]) => heldMs <= maxMs)?.[1] ?? '4h'
  return `${paths.marketData}?${new URLSearchParams({ instrument, interval, at: closed })}`
}

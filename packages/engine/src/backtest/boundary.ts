import { barEndAt } from '#market/bar-path.ts'
import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import { INTERVAL_MS } from '#model/interval.ts'
import { MS_PER_DAY } from '#values/instant.ts'
import { FUNDING_EVERY_MS } from '#venue/simulated-venue.ts'

/** Returns how often time itself leads to events: a new day or funding. */
export function boundaryPeriodMs({ all }: Instruments): number {
  return all.some(({ kind }) => kind === 'PERPETUAL') ? FUNDING_EVERY_MS : MS_PER_DAY
}

/** Returns the first row at or after this one whose bar ends in another period than the one before, or the length. */
export function nextBoundary(columns: BarColumns, row: number, periodMs: number): number {
  const lengthMs = INTERVAL_MS[columns.interval]
  const before = row === 0 ? (columns.start[0] ?? 0) : barEndAt(columns, row - 1)
  const over = (Math.floor(before / periodMs) + 1) * periodMs
  return nextRowFrom(columns, row, over - lengthMs)
}

/** Returns the first row at or after `from` whose bar starts at or after the time, or the length. */
function nextRowFrom({ start, length }: BarColumns, from: number, time: number): number {
  let low = from
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((start[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}

import type { BarColumns } from '#market/history.ts'

/** Returns the first row from the given one on whose bar starts at or after the time, the length when none does. */
export function nextRowFrom({ start, length }: BarColumns, from: number, time: number): number {
  let low = from
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((start[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}

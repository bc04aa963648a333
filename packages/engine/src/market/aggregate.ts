import { INTERVAL_MS, type Interval } from '#model/interval.ts'
import { assert } from '#values/bug.ts'
import { type BarColumns, createColumns } from './history.ts'

/** Aggregates bars into longer ones; a longer bar without a shorter one in it is left out. */
export function aggregateBars(bars: BarColumns, interval: Interval): BarColumns {
  const length = INTERVAL_MS[interval]
  assert(
    length % INTERVAL_MS[bars.interval] === 0,
    `${interval} bars are no whole number of ${bars.interval} bars`,
  )
  if (interval === bars.interval) return bars
  const longer = createColumns(bars.instrument, interval, countGroups(bars, length))
  let target = -1
  for (let row = 0; row < bars.length; row++) {
    const start = startOf(bars, row, length)
    if (target < 0 || longer.start[target] !== start) {
      target += 1
      begin(longer, target, { start, open: bars.open[row] ?? 0 })
    }
    add(longer, target, bars, row)
  }
  return longer
}

function startOf(bars: BarColumns, row: number, length: number): number {
  const start = bars.start[row] ?? 0
  return start - (start % length)
}

function countGroups(bars: BarColumns, length: number): number {
  let count = 0
  let last = -1
  for (let row = 0; row < bars.length; row++) {
    const start = startOf(bars, row, length)
    if (start !== last) count += 1
    last = start
  }
  return count
}

function begin(longer: BarColumns, target: number, { start, open }: { start: number; open: number }): void {
  longer.start[target] = start
  longer.open[target] = longer.high[target] = longer.low[target] = open
}

function add(longer: BarColumns, target: number, bars: BarColumns, row: number): void {
  longer.high[target] = Math.max(longer.high[target] ?? 0, bars.high[row] ?? 0)
  longer.low[target] = Math.min(longer.low[target] ?? 0, bars.low[row] ?? 0)
  longer.close[target] = bars.close[row] ?? 0
  longer.volume[target] = (longer.volume[target] ?? 0) + (bars.volume[row] ?? 0)
}

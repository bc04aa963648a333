import type { Feed, MarketTick } from '#model/tick.ts'
import { type BarReplayOptions, barTickOf, QUARTERS, quoteOfBar, tradeOfBar } from './bar-path.ts'
import type { BarColumns } from './history.ts'

/** Plays recorded ticks in order, all at once. */
export function createReplayFeed(ticks: Iterable<MarketTick>): Feed {
  return {
    start(onTick) {
      for (const tick of ticks) onTick(tick)
      return () => {}
    },
  }
}

/**
 * Turns bars of several instruments into the quotes and trades of a plausible path: open, the low first in a rising bar
 * and the high first in a falling one, the other extreme, close; then the finished bar.
 */
export function* ticksOfBars(
  recorded: readonly BarColumns[],
  options: BarReplayOptions,
): Generator<MarketTick> {
  const cursors = recorded.map((columns) => ({ columns, row: 0 }))
  for (let current = earliestOf(cursors); current.length > 0; current = earliestOf(cursors)) {
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      for (const { columns, row } of current) {
        yield quoteOfBar(columns, row, quarter, options)
        yield tradeOfBar(columns, row, quarter)
      }
    }
    for (const cursor of current) {
      yield barTickOf(cursor.columns, cursor.row)
      cursor.row += 1
    }
  }
}

/** How far the bars of one instrument have been played. */
export interface BarCursor {
  readonly columns: BarColumns
  row: number
}

/** Returns the cursors whose next bar starts first; empty when all are done. */
export function earliestOf(cursors: readonly BarCursor[]): BarCursor[] {
  const open = cursors.filter(({ columns, row }) => row < columns.length)
  const first = open.reduce((least, { columns, row }) => Math.min(least, columns.start[row] ?? 0), Infinity)
  return open.filter(({ columns, row }) => columns.start[row] === first)
}

import { type BarReplayOptions, barTickOf, QUARTERS, quoteOfBar, tradeOfBar } from './bar-path.ts'
import type { Feed } from './feed.ts'
import type { BarColumns } from './history.ts'
import type { MarketTick } from './tick.ts'

/** Plays recorded ticks in their order, all at once: whoever wants a pace takes the ticks one by one. */
export function createReplayFeed(ticks: Iterable<MarketTick>): Feed {
  return {
    start(onTick) {
      for (const tick of ticks) onTick(tick)
      return () => {}
    },
  }
}

/**
 * Turns bars of several instruments into the quotes and trades of a plausible path: open, the extreme that
 * lies against the bar's direction, the other extreme, close; a finished bar follows at its end.
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

/** Returns the cursors whose next bar starts first; none are left when all are through. */
export function earliestOf(cursors: readonly BarCursor[]): BarCursor[] {
  const open = cursors.filter(({ columns, row }) => row < columns.length)
  const first = open.reduce((least, { columns, row }) => Math.min(least, columns.start[row] ?? 0), Infinity)
  return open.filter(({ columns, row }) => columns.start[row] === first)
}

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
export function earliestOf<Cursor extends BarCursor>(cursors: readonly Cursor[]): readonly Cursor[] {
  let first = Number.POSITIVE_INFINITY
  let count = 0
  for (const cursor of cursors) {
    const start = nextStart(cursor)
    if (start < first) {
      first = start
      count = 0
    }
    if (start === first) count += 1
  }
  // Mostly all of them, and then without a new list.
  if (count === cursors.length && first !== Number.POSITIVE_INFINITY) return cursors
  return cursors.filter((cursor) => nextStart(cursor) === first && first !== Number.POSITIVE_INFINITY)
}

function nextStart({ columns, row }: BarCursor): number {
  return row < columns.length ? (columns.start[row] ?? 0) : Number.POSITIVE_INFINITY
}

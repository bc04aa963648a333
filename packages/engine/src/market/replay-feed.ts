import type { Instant } from '#values/instant.ts'
import { instant } from '#values/instant.ts'
import { price } from '#values/price.ts'
import { quantity } from '#values/quantity.ts'
import type { Feed } from './feed.ts'
import type { BarColumns } from './history.ts'
import { INTERVAL_MS } from './interval.ts'
import type { MarketTick, QuoteTick, TradeTick } from './tick.ts'

/** Plays recorded ticks in their order, all at once: whoever wants a pace takes the ticks one by one. */
export function createReplayFeed(ticks: Iterable<MarketTick>): Feed {
  return {
    start(onTick) {
      for (const tick of ticks) onTick(tick)
      return () => {}
    },
  }
}

export interface BarReplayOptions {
  /** Bars say nothing of the spread: the bid is this many ticks below each price, the ask as many above. */
  halfSpreadTicks: number
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
  for (let current = earliest(cursors); current.length > 0; current = earliest(cursors)) {
    for (let quarter = 0; quarter < 4; quarter++) {
      for (const { columns, row } of current) yield* ticksAt(columns, row, quarter, options)
    }
    for (const cursor of current) {
      yield barAt(cursor.columns, cursor.row)
      cursor.row += 1
    }
  }
}

interface Cursor {
  readonly columns: BarColumns
  row: number
}

/** Returns the cursors whose next bar starts first; none are left when all are through. */
function earliest(cursors: readonly Cursor[]): Cursor[] {
  const open = cursors.filter(({ columns, row }) => row < columns.length)
  const first = open.reduce((least, { columns, row }) => Math.min(least, columns.start[row] ?? 0), Infinity)
  return open.filter(({ columns, row }) => columns.start[row] === first)
}

function* ticksAt(
  columns: BarColumns,
  row: number,
  quarter: number,
  options: BarReplayOptions,
): Generator<QuoteTick | TradeTick> {
  const ticks = pathOf(columns, row)[quarter] ?? 0
  const size = quantity(Math.max(1, Math.round((columns.volume[row] ?? 0) / 4)))
  const at = quarterOf(columns, row, quarter)
  const { instrument } = columns
  const bid = price(Math.max(1, ticks - options.halfSpreadTicks))
  const ask = price(Math.max(bid + 1, ticks + options.halfSpreadTicks))
  yield { kind: 'tick', type: 'quote', at, instrument, bid, ask, bidSize: size, askSize: size }
  const aggressor = quarter % 2 === 0 ? 'BUY' : 'SELL'
  yield { kind: 'tick', type: 'trade', at, instrument, price: price(ticks), size, aggressor }
}

function pathOf(columns: BarColumns, row: number): readonly number[] {
  const [open = 0, high = 0, low = 0, close = 0] = [
    columns.open[row],
    columns.high[row],
    columns.low[row],
    columns.close[row],
  ]
  return close >= open ? [open, low, high, close] : [open, high, low, close]
}

function quarterOf(columns: BarColumns, row: number, quarter: number): Instant {
  const length = INTERVAL_MS[columns.interval]
  // The close comes one millisecond before the bar is over.
  const offset = quarter === 3 ? length - 1 : Math.floor((length * quarter) / 4)
  return instant((columns.start[row] ?? 0) + offset)
}

function barAt(columns: BarColumns, row: number): MarketTick {
  return {
    kind: 'tick',
    type: 'bar',
    at: instant((columns.start[row] ?? 0) + INTERVAL_MS[columns.interval]),
    instrument: columns.instrument,
    interval: columns.interval,
    open: price(columns.open[row] ?? 0),
    high: price(columns.high[row] ?? 0),
    low: price(columns.low[row] ?? 0),
    close: price(columns.close[row] ?? 0),
    volume: quantity(columns.volume[row] ?? 0),
  }
}

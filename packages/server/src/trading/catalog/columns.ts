import {
  type Bar,
  type BarColumns,
  barStart,
  createColumns,
  type InstrumentId,
  type Interval,
  instantFromMs,
} from '@binnacle/engine'

/** The columns that a bar consists of. */
export const COLUMNS = ['start', 'open', 'high', 'low', 'close', 'volume'] as const

/** Bars of one instrument and interval, one piece after the other. */
export function joinColumns(pieces: readonly BarColumns[]): BarColumns {
  const [first] = pieces
  if (first === undefined) throw new Error('no bars to join')
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const whole = createColumns(first.instrument, first.interval, length)
  let row = 0
  for (const piece of pieces) {
    for (const name of COLUMNS) whole[name].set(piece[name], row)
    row += piece.length
  }
  return whole
}

/** The one bar of a day that is made of the day's shorter ones. */
export function dailyOf(day: BarColumns): BarColumns {
  const daily = createColumns(day.instrument, '1d', 1)
  // A market that began to run at noon has a day all the same.
  daily.start[0] = barStart(instantFromMs(day.start[0] ?? 0), '1d')
  daily.open[0] = day.open[0] ?? 0
  daily.high[0] = day.high.reduce((most, value) => Math.max(most, value), 0)
  daily.low[0] = day.low.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  daily.close[0] = day.close[day.length - 1] ?? 0
  daily.volume[0] = day.volume.reduce((sum, value) => sum + value, 0)
  return daily
}

/** The rows of some bars that start within a period. */
export function within(bars: BarColumns, { from, to }: { from: number; to: number }): BarColumns {
  const first = bars.start.findIndex((start) => start >= from)
  const end = bars.start.findIndex((start) => start >= to)
  return first === -1 ? rowsOf(bars, 0, 0) : rowsOf(bars, first, end === -1 ? bars.length : end)
}

/** Bars, and the rows of others that come after them. */
export function withLater(bars: BarColumns, others: BarColumns): BarColumns {
  const last = bars.start.at(-1) ?? Number.NEGATIVE_INFINITY
  return joinColumns([bars, within(others, { from: last + 1, to: Number.POSITIVE_INFINITY })])
}

/** Bars, and later parts of bars: the first part may belong to the last bar. */
export function joinParts(bars: BarColumns, parts: BarColumns): BarColumns {
  const last = bars.length - 1
  if (last < 0) return parts
  if (parts.length === 0) return bars
  if (bars.start[last] !== parts.start[0]) return joinColumns([bars, parts])
  const whole = joinColumns([bars, rowsOf(parts, 1, parts.length)])
  whole.high[last] = Math.max(whole.high[last] ?? 0, parts.high[0] ?? 0)
  whole.low[last] = Math.min(whole.low[last] ?? 0, parts.low[0] ?? 0)
  whole.close[last] = parts.close[0] ?? 0
  whole.volume[last] = (whole.volume[last] ?? 0) + (parts.volume[0] ?? 0)
  return whole
}

/** Single bars as columns. */
export function columnsOfBars(
  instrument: InstrumentId,
  interval: Interval,
  bars: readonly Pick<Bar, (typeof COLUMNS)[number]>[],
): BarColumns {
  const columns = createColumns(instrument, interval, bars.length)
  for (const [row, bar] of bars.entries()) for (const name of COLUMNS) columns[name][row] = bar[name]
  return columns
}

function rowsOf(bars: BarColumns, from: number, to: number): BarColumns {
  const rows = createColumns(bars.instrument, bars.interval, to - from)
  for (const name of COLUMNS) rows[name].set(bars[name].subarray(from, to))
  return rows
}

/** The last of the bars, at most so many. */
export function latestOf(bars: BarColumns, maxBars: number): BarColumns {
  const from = Math.max(0, bars.length - maxBars)
  const latest = createColumns(bars.instrument, bars.interval, bars.length - from)
  for (const name of COLUMNS) latest[name].set(bars[name].subarray(from))
  return latest
}

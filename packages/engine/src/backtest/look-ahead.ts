import type { BarColumns } from '#market/history.ts'
import type { JournalEntry } from '#model/journal-entry.ts'

/** A backtest whose decisions are compared. */
export interface DecidingRun {
  readonly rows: number
  readonly done: number
  /** What the strategy has decided so far, one text each. */
  readonly decisions: readonly string[]
  advance(rows: number): void | Promise<void>
}

export interface LookAheadOptions {
  readonly bars: readonly BarColumns[]
  /** Opens the same backtest over other bars. */
  open(bars: readonly BarColumns[]): DecidingRun
  /** Between two slices of work. */
  readonly isStopped?: () => boolean
  /** Only the first bars are run. */
  readonly maxRows?: number
  readonly onProgress?: (share: number) => void
}

export interface LookAheadReport {
  /** How often the history was cut. */
  readonly cuts: number
  /** Decisions of the whole run; without any there is nothing to compare. */
  readonly decisions: number
  /** The first cut after which the decisions were others; null for a strategy that did not look ahead. */
  readonly difference: LookAheadDifference | null
}

export interface LookAheadDifference {
  /** Start of the last bar before the cut. */
  readonly at: number
  /** The decision with the whole history and with the cut one; null where there was none. */
  readonly whole: string | null
  readonly cut: string | null
}

/** Cuts right after a bar with a decision, and at other bars. */
const CUTS_AT_DECISIONS = 6
const OTHER_CUTS = 2

/**
 * Runs a strategy over its history, and over the beginning of it: what it decided before the cut must not change. A
 * strategy that uses later bars decides otherwise without them. Returns null when stopped.
 */
export async function checkLookAhead(options: LookAheadOptions): Promise<LookAheadReport | null> {
  const { open, maxRows = Number.POSITIVE_INFINITY, isStopped = () => false, onProgress = () => {} } = options
  const starts = startsOf(options.bars)
  const last = starts[Math.min(starts.length, maxRows) - 1] ?? 0
  const bars = options.bars.map((columns) => barsUntil(columns, last))
  const whole = open(bars)
  /** The number of decisions after each row. */
  const counts = new Uint32Array(whole.rows + 1)
  while (whole.done < whole.rows) {
    if (isStopped()) return null
    await whole.advance(1)
    counts[whole.done] = whole.decisions.length
    if (whole.done % PROGRESS_ROWS === 0) onProgress(whole.done / whole.rows / 2)
  }
  const cuts = cutsOf(counts)
  for (const [nth, row] of cuts.entries()) {
    const at = starts[row - 1] ?? 0
    const run = open(bars.map((columns) => barsUntil(columns, at)))
    while (run.done < run.rows) {
      if (isStopped()) return null
      await run.advance(SLICE_ROWS)
    }
    const difference = firstDifference(whole.decisions.slice(0, counts[row]), run.decisions)
    if (difference !== null)
      return { cuts: nth + 1, decisions: whole.decisions.length, difference: { at, ...difference } }
    onProgress(0.5 + (nth + 1) / cuts.length / 2)
  }
  return { cuts: cuts.length, decisions: whole.decisions.length, difference: null }
}

const PROGRESS_ROWS = 1_000
const SLICE_ROWS = 1_024

/** The orders of an entry, with all that the strategy chose. */
export function decisionsIn({ at, events }: JournalEntry): string[] {
  return events.flatMap((event) =>
    event.type === 'OrderSubmitted' || event.type === 'OrderDenied' ? [JSON.stringify({ at, ...event })] : [],
  )
}

/** Rows after which history is cut: the bars before each are what a strategy may know. */
function cutsOf(counts: Uint32Array): number[] {
  const rows = counts.length - 1
  const deciding: number[] = []
  for (let row = 1; row <= rows; row++) if (counts[row] !== counts[row - 1]) deciding.push(row)
  const others = Array.from({ length: OTHER_CUTS }, (_, nth) =>
    Math.round(((nth + 1) * rows) / (OTHER_CUTS + 1)),
  )
  const chosen = [...spread(deciding, CUTS_AT_DECISIONS), ...others]
  // A cut after the last row would be the whole history.
  return [...new Set(chosen)].filter((row) => row > 0 && row < rows).sort((a, b) => a - b)
}

function spread(values: readonly number[], count: number): number[] {
  if (values.length <= count) return [...values]
  return Array.from({ length: count }, (_, nth) => values[Math.floor((nth * values.length) / count)] ?? 0)
}

/** Starts of the bars of all instruments, each once. */
function startsOf(bars: readonly BarColumns[]): number[] {
  const [only, ...others] = bars
  if (only !== undefined && others.length === 0) return Array.from(only.start.subarray(0, only.length))
  const all = new Set(bars.flatMap(({ start, length }) => Array.from(start.subarray(0, length))))
  return [...all].sort((a, b) => a - b)
}

/** The bars that start at this time or before. */
function barsUntil(columns: BarColumns, at: number): BarColumns {
  let length = 0
  while (length < columns.length && (columns.start[length] ?? 0) <= at) length++
  const { instrument, interval, start, open, high, low, close, volume } = columns
  const first = (column: Float64Array) => column.subarray(0, length)
  return {
    instrument,
    interval,
    length,
    start: first(start),
    open: first(open),
    high: first(high),
    low: first(low),
    close: first(close),
    volume: first(volume),
  }
}

function firstDifference(whole: readonly string[], cut: readonly string[]) {
  const length = Math.max(whole.length, cut.length)
  for (let nth = 0; nth < length; nth++)
    if (whole[nth] !== cut[nth]) return { whole: whole[nth] ?? null, cut: cut[nth] ?? null }
  return null
}

/** The month of an instant in UTC, as files are named by it: `2026-11`. */
function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}

/** The months that a period touches; its end is not part of it. */
export function monthsOf(from: number, to: number): string[] {
  const months: string[] = []
  for (let at = from; at < to; at = nextMonth(at)) months.push(monthOf(at))
  return months
}

/** The first instant of the month after the one that an instant is in. */
export function nextMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

export interface MonthRows {
  readonly month: string
  readonly from: number
  /** The row after the last. */
  readonly to: number
}

/** Cuts rows, which are in the order of their times, where a month ends. */
export function rowsByMonth(times: Float64Array): MonthRows[] {
  const cuts: MonthRows[] = []
  for (let from = 0; from < times.length; ) {
    const first = times[from] ?? 0
    const end = nextMonth(first)
    let to = from
    while (to < times.length && (times[to] ?? 0) < end) to++
    cuts.push({ month: monthOf(first), from, to })
    from = to
  }
  return cuts
}

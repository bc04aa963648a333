import type { Cron } from 'croner'

/** What a schedule asked for in a stretch of time. */
export interface DueInstants {
  first: Date
  last: Date
  /** Counted up to a limit only. */
  count: number
}

/** Enough to say that it was many; a year of minutes would take long to count. */
export const COUNT_LIMIT = 1000

/** The instants after the first time up to and with the second. */
export function dueInstants(cron: Cron, after: Date, until: Date): DueInstants | undefined {
  const first = cron.nextRun(after)
  if (first === null || first > until) return undefined
  const due = { first, last: first, count: 1 }
  for (;;) {
    const next = cron.nextRun(due.last)
    if (next === null || next > until) return due
    if (due.count === COUNT_LIMIT) return { ...due, last: lastUntil(cron, until) ?? due.last }
    due.last = next
    due.count += 1
  }
}

/** The library looks before a time, and in whole seconds. */
function lastUntil(cron: Cron, until: Date): Date | undefined {
  return cron.previousRuns(1, new Date(Math.floor(until.getTime() / 1000 + 1) * 1000))[0]
}

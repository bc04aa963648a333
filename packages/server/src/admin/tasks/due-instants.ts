import type { Cron } from 'croner'

/** The instants of a schedule within a time range. */
export interface DueInstants {
  first: Date
  last: Date
  /** At most COUNT_LIMIT. */
  count: number
}

/** Limits the time to count: a year has over 500,000 minutes. */
export const COUNT_LIMIT = 1000

/** Returns the instants in (after, until]. */
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

/** croner returns runs strictly before a time, in whole seconds. */
function lastUntil(cron: Cron, until: Date): Date | undefined {
  return cron.previousRuns(1, new Date(Math.floor(until.getTime() / 1000 + 1) * 1000))[0]
}

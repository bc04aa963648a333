import type { CalendarReturn } from '@binnacle/contract'
import { MS_PER_DAY } from '#format/duration.ts'

/** A week of the heat map: seven days from Monday; undefined where there is no record. */
export interface CalendarWeek {
  /** Its Monday. */
  start: string
  days: readonly (CalendarReturn | undefined)[]
}

/** PERF-22: every week from the first day to the last, also those without a record. */
export function weeksOf(days: readonly CalendarReturn[]): readonly CalendarWeek[] {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const byDay = new Map(days.map((day) => [day.start, day]))
  const weeks: CalendarWeek[] = []
  for (let monday = mondayOf(first.start); monday <= Date.parse(last.start); monday += 7 * MS_PER_DAY) {
    weeks.push({
      start: textOf(monday),
      days: Array.from({ length: 7 }, (_, day) => byDay.get(textOf(monday + day * MS_PER_DAY))),
    })
  }
  return weeks
}

export function dayOfWeek({ start }: CalendarWeek, index: number): string {
  return textOf(Date.parse(start) + index * MS_PER_DAY)
}

/** The return at which colour is full: the largest one, but not less than a tenth of a percent. */
export function fullReturn(returns: readonly CalendarReturn[]): number {
  return Math.max(0.001, ...returns.map((each) => Math.abs(each.return ?? 0)))
}

function mondayOf(day: string): number {
  const at = Date.parse(day)
  return at - ((new Date(at).getUTCDay() + 6) % 7) * MS_PER_DAY
}

function textOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

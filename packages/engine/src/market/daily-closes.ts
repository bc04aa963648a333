import { type Instant, MS_PER_DAY } from '#values/instant.ts'

/** The closing prices of the latest days, by instrument number: soft state that value at risk is made of. */
export interface DailyCloses {
  /** Notes the close of the day that ends at the instant. */
  note(index: number, dayEnd: Instant, close: number): void
  /** Returns the day's return of an instrument, or null when either close is unknown. */
  returnOn(index: number, day: number): number | null
  /** Returns the number of the latest day noted, counted from 1970, or -1. */
  lastDay(): number
}

export const DAYS_KEPT = 400

/** Makes a record for a number of instruments; older days make room for newer ones. */
export function createDailyCloses(count: number): DailyCloses {
  const closes = new Float64Array(count * DAYS_KEPT)
  const days = new Int32Array(count * DAYS_KEPT).fill(-1)
  let last = -1

  const slotOf = (index: number, day: number) => index * DAYS_KEPT + (day % DAYS_KEPT)

  function closeOn(index: number, day: number): number | null {
    const slot = slotOf(index, day)
    return day >= 0 && days[slot] === day ? (closes[slot] ?? null) : null
  }

  return {
    lastDay: () => last,
    note: (index, dayEnd, close) => {
      const day = Math.floor((dayEnd - 1) / MS_PER_DAY)
      const slot = slotOf(index, day)
      closes[slot] = close
      days[slot] = day
      last = Math.max(last, day)
    },
    returnOn: (index, day) => {
      const close = closeOn(index, day)
      const before = closeOn(index, day - 1)
      return close === null || before === null ? null : close / before - 1
    },
  }
}

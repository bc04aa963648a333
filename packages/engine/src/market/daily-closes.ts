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

/** Makes a record; older days make room for newer ones, and an instrument costs nothing until its first. */
export function createDailyCloses(): DailyCloses {
  const rings: Ring[] = []
  let last = -1

  return {
    lastDay: () => last,
    note: (index, dayEnd, close) => {
      const day = Math.floor((dayEnd - 1) / MS_PER_DAY)
      rings[index] ??= { closes: new Float64Array(DAYS_KEPT), days: new Int32Array(DAYS_KEPT).fill(-1) }
      rings[index].closes[day % DAYS_KEPT] = close
      rings[index].days[day % DAYS_KEPT] = day
      last = Math.max(last, day)
    },
    returnOn: (index, day) => {
      const close = closeOn(rings[index], day)
      const before = closeOn(rings[index], day - 1)
      return close === null || before === null ? null : close / before - 1
    },
  }
}

interface Ring {
  readonly closes: Float64Array
  readonly days: Int32Array
}

function closeOn(ring: Ring | undefined, day: number): number | null {
  if (ring === undefined || day < 0 || ring.days[day % DAYS_KEPT] !== day) return null
  return ring.closes[day % DAYS_KEPT] ?? null
}

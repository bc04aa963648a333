import { type Instant, MS_PER_DAY } from '#values/instant.ts'

/** Closing prices of the latest days by instrument index: soft state for value at risk. */
export interface DailyCloses {
  /** Records the close of the day that ends at the instant. */
  record(index: number, dayEnd: Instant, close: number): void
  /** Returns the day's return of an instrument, or null when either close is unknown. */
  returnOn(index: number, day: number): number | null
  /** Returns the number of the latest recorded day since 1970, or -1. */
  lastDay(): number
}

export const MAX_DAYS = 400

/** Creates the store: a ring of days per instrument, allocated with its first close. */
export function createDailyCloses(): DailyCloses {
  const rings: Ring[] = []
  let last = -1

  return {
    lastDay: () => last,
    record: (index, dayEnd, close) => {
      const day = Math.floor((dayEnd - 1) / MS_PER_DAY)
      rings[index] ??= { closes: new Float64Array(MAX_DAYS), days: new Int32Array(MAX_DAYS).fill(-1) }
      rings[index].closes[day % MAX_DAYS] = close
      rings[index].days[day % MAX_DAYS] = day
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
  if (ring === undefined || day < 0 || ring.days[day % MAX_DAYS] !== day) return null
  return ring.closes[day % MAX_DAYS] ?? null
}

import { type Instant, instantFromMs, MS_PER_DAY } from '#values/instant.ts'

/** Bar intervals; each is a whole multiple of every one before it that it is built from. */
export const INTERVAL_MS = {
  '1s': 1_000,
  '5s': 5_000,
  '15s': 15_000,
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': MS_PER_DAY,
} as const

export type Interval = keyof typeof INTERVAL_MS

// Object.keys widens to string[]; the record above is the whole set.
export const INTERVALS = Object.keys(INTERVAL_MS) as readonly Interval[]

/** Returns the start of the bar that an instant falls into; bars are aligned to 00:00 UTC. */
export function barStart(at: Instant, interval: Interval): Instant {
  return instantFromMs(at - (at % INTERVAL_MS[interval]))
}

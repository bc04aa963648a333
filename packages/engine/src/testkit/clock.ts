import type { Clock } from '#desk.ts'
import { type Instant, instant } from '#values/instant.ts'
import { START } from './builders.ts'

/** A clock that is moved by hand. */
export interface ManualClock extends Clock {
  advance(ms: number): Instant
}

/** Makes a clock that stands until it is moved. */
export function createManualClock(from: Instant = START): ManualClock {
  let now = from
  return {
    now: () => now,
    advance: (ms) => {
      now = instant(now + ms)
      return now
    },
  }
}

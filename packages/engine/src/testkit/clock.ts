import type { Clock } from '#desk.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { START } from './builders.ts'

/** A clock that tests set. */
export interface ManualClock extends Clock {
  advance(ms: number): Instant
}

/** Creates a clock that stays until it is set. */
export function createManualClock(from: Instant = START): ManualClock {
  let now = from
  return {
    now: () => now,
    advance: (ms) => {
      now = instantFromMs(now + ms)
      return now
    },
  }
}

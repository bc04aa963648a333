import type { Brand } from './brand.ts'
import { assert } from './bug.ts'

/** Milliseconds since 1970-01-01 UTC; time enters the engine only on its inputs. */
export type Instant = Brand<number, 'Instant'>

export const MS_PER_DAY = 86_400_000

/** Creates an instant from whole, safe milliseconds; anything else is a bug of the caller. */
export function instantFromMs(ms: number): Instant {
  assert(Number.isSafeInteger(ms) && ms >= 0, 'not an instant', ms)
  // Checked on the line above.
  return ms as Instant
}

/** Returns 00:00 UTC of the instant's day. */
export function startOfDay(at: Instant): Instant {
  return instantFromMs(at - (at % MS_PER_DAY))
}

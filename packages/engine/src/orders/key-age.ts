import type { Conflict } from '#model/reasons.ts'
import type { IdempotencyKey } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { refuse } from '#values/result.ts'

const HOUR_MS = 3_600_000
const MAX_KEY_AGE_HOURS = 24

/** A UUIDv7 begins with the milliseconds of its creation. */
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/**
 * Refuses a key that says by itself that it is older than a day: the command was repeated very late. Call it for keys
 * that no order has.
 */
export function refuseOldKey(
  key: IdempotencyKey,
  at: Instant,
): { readonly ok: false; readonly reason: Conflict } | null {
  const [, high, low] = UUID_V7.exec(key) ?? []
  if (high === undefined || low === undefined) return null
  const hours = (at - Number.parseInt(high + low, 16)) / HOUR_MS
  if (hours <= MAX_KEY_AGE_HOURS) return null
  return refuse({ code: 'key.too-old', hours: Math.floor(hours), maxHours: MAX_KEY_AGE_HOURS })
}

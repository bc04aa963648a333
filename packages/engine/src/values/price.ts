import type { Brand } from './brand.ts'
import { assert } from './bug.ts'
import type { DecimalText } from './decimal.ts'
import { countIncrements, type Increment, type IncrementFault, incrementsToNumber } from './increment.ts'
import { ok, type Result } from './result.ts'

/** A whole, positive number of an instrument's ticks. */
export type Price = Brand<number, 'Price'>

/** Creates a price from ticks known to be whole and positive; anything else is a bug. */
export function priceFromTicks(ticks: number): Price {
  assert(Number.isSafeInteger(ticks) && ticks > 0, 'not a price in ticks', ticks)
  // Checked on the line above.
  return ticks as Price
}

/** Parses a price; off-tick, zero, negative, huge and NaN are refused with their own reasons. */
export function parsePrice(value: DecimalText, tick: Increment): Result<Price, IncrementFault> {
  const ticks = countIncrements(value, tick)
  return ticks.ok ? ok(priceFromTicks(ticks.value)) : ticks
}

/** Returns the price nearest to a modelled value, at least one tick; for simulated markets, never for orders. */
export function nearestPrice(value: number, tick: Increment): Price {
  return priceFromTicks(Math.min(tick.maxCount, Math.max(1, Math.round((value * 1e8) / tick.unitCount))))
}

/** Returns the price as a double, for screens and indicators. */
export function priceToNumber(ticks: Price, tick: Increment): number {
  return incrementsToNumber(ticks, tick)
}

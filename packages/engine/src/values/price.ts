import type { Brand } from './brand.ts'
import { assert } from './bug.ts'
import type { DecimalText } from './decimal.ts'
import { ok, type Result } from './result.ts'
import { countSteps, type Step, type StepFault, stepsToNumber } from './step.ts'

/** A whole, positive number of an instrument's ticks. */
export type Price = Brand<number, 'Price'>

/** Creates a price from ticks known to be whole and positive; anything else is a bug. */
export function price(ticks: number): Price {
  assert(Number.isSafeInteger(ticks) && ticks > 0, 'not a price in ticks', ticks)
  // Checked on the line above.
  return ticks as Price
}

/** Parses a price; off-tick, zero, negative, huge and NaN are refused with their own reasons. */
export function parsePrice(value: DecimalText, tick: Step): Result<Price, StepFault> {
  const ticks = countSteps(value, tick)
  return ticks.ok ? ok(price(ticks.value)) : ticks
}

/** Returns the price nearest to a modelled value, at least one tick; for simulated markets, never for orders. */
export function nearestPrice(value: number, tick: Step): Price {
  return price(Math.min(tick.maxSteps, Math.max(1, Math.round((value * 1e8) / tick.unitCount))))
}

/** Returns the price as a double, for screens and indicators. */
export function priceToNumber(ticks: Price, tick: Step): number {
  return stepsToNumber(ticks, tick)
}

/** An exponential moving average over `length` values, starting at the first one. */
export interface Ema {
  /** The weight of a new value: 2 ÷ (length + 1). */
  readonly weight: number
  /** The average so far, 0 before the first value. */
  value: number
  /** The number of values added. */
  count: number
}

/** Creates an average without values. */
export function createEma(length: number): Ema {
  return { weight: 2 / (length + 1), value: 0, count: 0 }
}

/** Adds a value and returns the average. */
export function addToEma(ema: Ema, value: number): number {
  ema.value = ema.count === 0 ? value : nextEma(ema.value, ema.weight, value)
  ema.count += 1
  return ema.value
}

/**
 * Returns the average after one more value. Loops with a local copy use the same expression, so results are
 * bit-identical.
 */
export function nextEma(average: number, weight: number, value: number): number {
  return average + weight * (value - average)
}

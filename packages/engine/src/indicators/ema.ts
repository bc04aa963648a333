/** An exponential moving average over `length` values, begun at the first one. */
export interface Ema {
  /** The weight of a new value: 2 ÷ (length + 1). */
  readonly weight: number
  /** The average so far, 0 before the first value. */
  value: number
  /** How many values it has seen. */
  count: number
}

/** Makes an average that has seen nothing. */
export function createEma(length: number): Ema {
  return { weight: 2 / (length + 1), value: 0, count: 0 }
}

/** Takes a value in and returns the average. */
export function addToEma(ema: Ema, value: number): number {
  ema.value = ema.count === 0 ? value : nextEma(ema.value, ema.weight, value)
  ema.count += 1
  return ema.value
}

/** Returns the average after one more value; loops that keep it in a local use the same line, so they get the same bits. */
export function nextEma(average: number, weight: number, value: number): number {
  return average + weight * (value - average)
}

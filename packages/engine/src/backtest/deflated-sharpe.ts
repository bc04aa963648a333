/** Mean, standard deviation (with n − 1), skewness and kurtosis (3 for a normal distribution) of returns. */
export interface Moments {
  readonly count: number
  readonly mean: number
  readonly deviation: number
  readonly skewness: number
  readonly kurtosis: number
}

export function momentsOf(values: readonly number[]): Moments {
  const count = values.length
  const mean = average(values)
  const centred = (power: number) => average(values.map((value) => (value - mean) ** power))
  const variance = centred(2)
  const isFlat = variance === 0
  return {
    count,
    mean,
    deviation: count < 2 ? 0 : Math.sqrt((variance * count) / (count - 1)),
    skewness: isFlat ? 0 : centred(3) / variance ** 1.5,
    kurtosis: isFlat ? 3 : centred(4) / variance ** 2,
  }
}

/** The Euler-Mascheroni constant. */
const EULER = 0.5772156649015329

/**
 * The Sharpe ratio to expect of the best of so many trials without skill, from the deviation of their ratios. 0 for a
 * single one.
 */
export function expectedBestSharpe(trials: number, deviation: number): number {
  if (trials < 2) return 0
  const best = (1 - EULER) * normalQuantile(1 - 1 / trials)
  return deviation * (best + EULER * normalQuantile(1 - 1 / (trials * Math.E)))
}

/**
 * The probability that a Sharpe ratio per period is above a benchmark, given how its returns are distributed (Bailey
 * and López de Prado). With the expected best of all trials as benchmark it is the deflated Sharpe ratio. Null where it
 * is undefined.
 */
export function probabilisticSharpe(returns: Moments, benchmark: number): number | null {
  const { count, mean, deviation, skewness, kurtosis } = returns
  if (count < 2 || deviation === 0) return null
  const sharpe = mean / deviation
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe
  return spread <= 0 ? null : normalCdf(((sharpe - benchmark) * Math.sqrt(count - 1)) / Math.sqrt(spread))
}

/** The cumulative normal distribution, by its series; exact to the last digits of a double. */
export function normalCdf(x: number): number {
  if (x < -TAIL) return 0
  if (x > TAIL) return 1
  let term = x
  let sum = x
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * Number.EPSILON; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return 0.5 + sum * Math.exp((-x * x) / 2 - LOG_ROOT_TWO_PI)
}

/** Beyond it the rest of the distribution is smaller than the last digit of a double. */
const TAIL = 8.3
const LOG_ROOT_TWO_PI = 0.9189385332046728

/** The inverse of the cumulative normal distribution: halving, then Newton's method. */
export function normalQuantile(probability: number): number {
  let low = -TAIL
  let high = TAIL
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < probability) low = middle
    else high = middle
  }
  let x = (low + high) / 2
  for (let step = 0; step < 4; step++) {
    const slope = Math.exp((-x * x) / 2 - LOG_ROOT_TWO_PI)
    if (slope > 0) x -= (normalCdf(x) - probability) / slope
  }
  return x
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

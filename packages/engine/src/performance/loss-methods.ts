import { createRandom } from '#market/random.ts'
import { DAYS_NEEDED, TAIL, type Tail, tailOf } from '#risk/value-at-risk.ts'

export const LOSS_METHODS = ['historical', 'parametric', 'monte_carlo'] as const
export type LossMethod = (typeof LOSS_METHODS)[number]

/** Days that an estimate looks back at most. */
const MAX_DAYS = 250
const DRAWS = 2_000
/** The weight of the past in the volatility of the simulation. */
const DECAY = 0.94
/** The normal deviate that one in twenty falls below, and the density there over one in twenty. */
const DEVIATE = 1.6448536269514722
const TAIL_MEAN = Math.exp(-(DEVIATE * DEVIATE) / 2) / Math.sqrt(2 * Math.PI) / TAIL

/**
 * The one-day loss that one day in twenty exceeds, as a fraction, from daily returns; null with too few of them.
 * Historical: the returns themselves. Parametric: a normal distribution with their mean and deviation. Monte Carlo: draws
 * of the returns, each scaled from the volatility of its day to that of now.
 */
export function estimateLoss(method: LossMethod, returns: readonly number[], seed: number): Tail | null {
  const latest = returns.slice(-MAX_DAYS)
  if (latest.length < DAYS_NEEDED) return null
  switch (method) {
    case 'historical':
      return tailOf(latest)
    case 'parametric':
      return parametric(latest)
    case 'monte_carlo':
      return tailOf(simulate(latest, seed))
    default:
      return method satisfies never
  }
}

function parametric(returns: readonly number[]): Tail {
  const mean = returns.reduce((sum, change) => sum + change, 0) / returns.length
  const squares = returns.reduce((sum, change) => sum + (change - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (returns.length - 1))
  return {
    valueAtRisk: Math.max(0, DEVIATE * deviation - mean),
    expectedShortfall: Math.max(0, TAIL_MEAN * deviation - mean),
  }
}

function simulate(returns: readonly number[], seed: number): number[] {
  const random = createRandom(seed).fork('value-at-risk')
  let variance = returns.reduce((sum, change) => sum + change * change, 0) / returns.length
  const scaled = returns.map((change) => {
    const residual = variance > 0 ? change / Math.sqrt(variance) : 0
    variance = DECAY * variance + (1 - DECAY) * change * change
    return residual
  })
  const now = Math.sqrt(variance)
  return Array.from(
    { length: DRAWS },
    () => (scaled[Math.floor(random.uniform() * scaled.length)] ?? 0) * now,
  )
}

/** How an estimate did on the days after it was made. */
export interface LossBacktest {
  /** Days with an estimate made from the days before. */
  readonly days: number
  /** Those that lost more than the estimate. */
  readonly beyond: number
  /** Kupiec's likelihood ratio of one day in twenty; null without days. */
  readonly ratio: number | null
  /** Whether the count agrees with one in twenty at 95 % confidence; null without days. */
  readonly isPlausible: boolean | null
}

/** The value that chi-squared with one degree of freedom exceeds one time in twenty. */
const CRITICAL_RATIO = 3.841458820694124

/** Estimates each day from the days before it, and counts the days that lost more. */
export function backtestLoss(method: LossMethod, returns: readonly number[], seed: number): LossBacktest {
  let days = 0
  let beyond = 0
  for (let day = DAYS_NEEDED; day < returns.length; day++) {
    const estimate = estimateLoss(method, returns.slice(Math.max(0, day - MAX_DAYS), day), seed)
    if (estimate === null) continue
    days += 1
    if (-(returns[day] ?? 0) > estimate.valueAtRisk) beyond += 1
  }
  const ratio = days === 0 ? null : kupiecRatio(days, beyond)
  return { days, beyond, ratio, isPlausible: ratio === null ? null : ratio <= CRITICAL_RATIO }
}

/** −2 ln of the likelihood of the count at one in twenty over its likelihood at the observed share. */
export function kupiecRatio(days: number, beyond: number): number {
  const within = days - beyond
  const share = beyond / days
  const expected = within * Math.log(1 - TAIL) + beyond * Math.log(TAIL)
  const observed =
    (within === 0 ? 0 : within * Math.log(1 - share)) + (beyond === 0 ? 0 : beyond * Math.log(share))
  return Math.max(0, -2 * (expected - observed))
}

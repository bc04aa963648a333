import { type DailyCloses, MAX_DAYS } from '#market/daily-closes.ts'

/** With fewer days the worst in twenty is undefined. */
export const DAYS_NEEDED = 30
export const TAIL = 0.05

/** A position's value in quote currency, negative when short, with its instrument's index. */
export interface HeldValue {
  readonly index: number
  readonly value: number
}

/**
 * Returns the loss that one day in twenty exceeds if today's positions had been held on every recorded day; null until
 * the held instruments have enough days in common.
 */
export function valueAtRisk(held: readonly HeldValue[], closes: DailyCloses): number | null {
  // Without positions, the first instrument shows whether there is history.
  const needed = held.length === 0 ? [{ index: 0, value: 0 }] : held
  const outcomes: number[] = []
  const last = closes.lastDay()
  for (let day = last; day > last - MAX_DAYS && day > 0; day--) {
    const outcome = outcomeOn(needed, closes, day)
    if (outcome !== null) outcomes.push(outcome)
  }
  if (outcomes.length < DAYS_NEEDED) return null
  return tailOf(outcomes).valueAtRisk
}

/** The loss that one outcome in twenty exceeds, and the mean of the outcomes from it on; both at least zero. */
export interface Tail {
  readonly valueAtRisk: number
  readonly expectedShortfall: number
}

export function tailOf(outcomes: readonly number[]): Tail {
  const sorted = outcomes.toSorted((one, other) => one - other)
  const beyond = sorted.slice(0, Math.floor(sorted.length * TAIL) + 1)
  const sum = beyond.reduce((total, outcome) => total + outcome, 0)
  return {
    valueAtRisk: Math.max(0, -(beyond.at(-1) ?? 0)),
    expectedShortfall: Math.max(0, -sum / Math.max(1, beyond.length)),
  }
}

function outcomeOn(held: readonly HeldValue[], closes: DailyCloses, day: number): number | null {
  let outcome = 0
  for (const { index, value } of held) {
    const change = closes.returnOn(index, day)
    if (change === null) return null
    outcome += value * change
  }
  return outcome
}

import { DAYS_KEPT, type DailyCloses } from '#market/daily-closes.ts'

/** Fewer days than this say nothing about the worst in twenty. */
export const DAYS_NEEDED = 30
const TAIL = 0.05

/** A position's value in quote currency, negative when short, with its instrument's number. */
export interface HeldValue {
  readonly index: number
  readonly value: number
}

/**
 * Returns the loss that one day in twenty exceeds, had today's positions been held on every remembered day; null
 * until there are enough days that all held instruments have in common.
 */
export function valueAtRisk(held: readonly HeldValue[], closes: DailyCloses): number | null {
  // With nothing held, the first instrument says whether there is history.
  const needed = held.length === 0 ? [{ index: 0, value: 0 }] : held
  const outcomes: number[] = []
  const last = closes.lastDay()
  for (let day = last; day > last - DAYS_KEPT && day > 0; day--) {
    const outcome = outcomeOn(needed, closes, day)
    if (outcome !== null) outcomes.push(outcome)
  }
  if (outcomes.length < DAYS_NEEDED) return null
  outcomes.sort((one, other) => one - other)
  const atRisk = -(outcomes[Math.floor(outcomes.length * TAIL)] ?? 0)
  return Math.max(0, atRisk)
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

import type { MuteWindow } from '@binnacle/contract'
import { generated } from '@binnacle/engine/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluate, type FiringRule, QUIET } from './evaluate.ts'

/** A Thursday, 00:00 UTC. */
const START_MS = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000

interface Step {
  atMs: number
  value: number
}

const clockTime = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
const timeText = clockTime.map(([hour, minute]) =>
  [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'),
)
const muteWindow: fc.Arbitrary<MuteWindow> = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
  from: timeText,
  to: timeText,
})

const rule: fc.Arbitrary<FiringRule> = fc
  .record({
    direction: fc.constantFrom('above' as const, 'below' as const),
    threshold: fc.integer({ min: 90, max: 110 }),
    gap: fc.integer({ min: 0, max: 8 }),
    cooldown_s: fc.constantFrom(0, 60, 900, 14_400),
    mute: fc.array(muteWindow, { maxLength: 2 }),
  })
  .map(({ gap, ...given }) => ({
    ...given,
    clear: given.direction === 'above' ? given.threshold - gap : given.threshold + gap,
  }))

/** A random walk around 100 with jumps, observed at uneven times over some days. */
const path: fc.Arbitrary<Step[]> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: -6, max: 6 })), {
    minLength: 1,
    maxLength: 120,
  })
  .map((moves) => {
    let at = START_MS
    let value = 100
    return moves.map(([minutes, change]) => {
      at += minutes * MINUTE_MS
      value = Math.min(130, Math.max(70, value + change))
      return { atMs: at, value }
    })
  })

test('[ALERT-7] on generated price paths no alert is missed and none is repeated', () => {
  fc.assert(
    fc.property(rule, path, (given, steps) => {
      expect(evaluated(given, steps)).toEqual(expected(given, steps))
    }),
    generated('alertPaths'),
  )
})

/** The product's evaluator, one observation after the other. */
function evaluated(given: FiringRule, steps: readonly Step[]): string[] {
  let state = QUIET
  return steps.flatMap((step, index) => {
    const result = evaluate(given, state, step)
    state = result.state
    return result.outcome === null ? [] : [`${result.outcome} ${index}`]
  })
}

/**
 * Written from the rules alone, over the whole path at once: first the episodes beyond the threshold, then in each the
 * first moment that is neither muted nor cooling down.
 */
function expected(given: FiringRule, steps: readonly Step[]): string[] {
  const sign = given.direction === 'above' ? 1 : -1
  const hits = (value: number) => sign * value >= sign * given.threshold
  const leaves = (value: number) => sign * value < sign * given.clear
  const found: string[] = []
  let lastRaise = Number.NEGATIVE_INFINITY
  let from = steps.findIndex(({ value }) => hits(value))
  while (from !== -1) {
    const length = steps.slice(from).findIndex(({ value }) => leaves(value))
    const to = length === -1 ? steps.length : from + length
    const free = steps.findIndex(
      ({ atMs }, index) =>
        index >= from &&
        index < to &&
        atMs >= lastRaise + given.cooldown_s * 1000 &&
        !given.mute.some((each) => covers(each, atMs)),
    )
    if (free !== -1) {
      found.push(`raise ${free}`)
      lastRaise = steps[free]?.atMs ?? 0
      if (to < steps.length) found.push(`clear ${to}`)
    }
    from = steps.findIndex(({ value }, index) => index >= to && hits(value))
  }
  return found
}

/** Walks the minutes of a window, day by day, until the time is reached. */
function covers({ days, from, to }: MuteWindow, atMs: number): boolean {
  const minute = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
  const midnight = Date.parse(`${new Date(minute).toISOString().slice(0, 10)}T00:00:00Z`)
  return [midnight, midnight - 24 * 60 * MINUTE_MS].some((day) => {
    if (!days.includes(new Date(day).getUTCDay())) return false
    const date = new Date(day).toISOString().slice(0, 10)
    const begin = Date.parse(`${date}T${from}:00Z`)
    const sameDay = Date.parse(`${date}T${to}:00Z`)
    const end = sameDay > begin ? sameDay : sameDay + 24 * 60 * MINUTE_MS
    return minute >= begin && minute < end
  })
}

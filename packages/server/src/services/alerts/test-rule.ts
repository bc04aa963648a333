import type { AlertRuleInput, AlertTest } from '@binnacle/contract'
import { MS_PER_DAY } from '@binnacle/engine'
import { evaluate, QUIET } from './evaluate.ts'

/** A recorded interval: its extremes and its last value. */
export interface RecordedPoint {
  readonly atMs: number
  readonly low: number
  readonly high: number
  readonly last: number
}

export interface TestPeriod {
  readonly fromMs: number
  readonly toMs: number
}

/** As many as a chart shows. */
const MAX_POINTS = 500

/** Says when a rule would have fired, by the evaluator that runs live. */
export function testOnRecord(
  rule: AlertRuleInput,
  points: readonly RecordedPoint[],
  { fromMs, toMs }: TestPeriod,
): AlertTest {
  let state = QUIET
  let beyondSince: number | undefined
  let beyondMs = 0
  let longestMs = 0
  const firings: AlertTest['firings'] = []
  const leave = (atMs: number) => {
    if (beyondSince === undefined) return
    beyondMs += atMs - beyondSince
    longestMs = Math.max(longestMs, atMs - beyondSince)
    beyondSince = undefined
  }
  for (const { atMs, low, high, last } of points) {
    // The extreme may have been reached at any time of the interval; the last value ends it.
    for (const value of [rule.direction === 'above' ? high : low, last]) {
      const result = evaluate(rule, state, { atMs, value })
      state = result.state
      if (result.outcome === 'raise') firings.push({ at: isoTime(atMs), value, cleared_at: null })
      const open = firings.at(-1)
      if (result.outcome === 'clear' && open !== undefined) open.cleared_at = isoTime(atMs)
      if (state.isBeyond) beyondSince ??= atMs
      else leave(atMs)
    }
  }
  leave(points.at(-1)?.atMs ?? toMs)
  return {
    from: isoTime(fromMs),
    to: isoTime(toMs),
    points: thinOut(points, rule.direction).map(({ atMs, value }) => [Math.round(atMs / 1000), value]),
    firings,
    seconds_beyond: Math.round(beyondMs / 1000),
    longest_s: Math.round(longestMs / 1000),
    note: points.length === 0 ? 'Nothing was recorded in this period.' : null,
  }
}

/** The days before today, in UTC. */
export function periodOf(days: number, nowMs: number): TestPeriod {
  const toMs = nowMs - (nowMs % MS_PER_DAY)
  return { fromMs: toMs - days * MS_PER_DAY, toMs }
}

/** The extreme of each stretch, so that a chart shows what fired. */
function thinOut(points: readonly RecordedPoint[], direction: 'above' | 'below') {
  const width = Math.ceil(points.length / MAX_POINTS)
  const stretches = Array.from({ length: Math.ceil(points.length / Math.max(1, width)) }, (_, index) =>
    points.slice(index * width, (index + 1) * width),
  )
  return stretches.flatMap((stretch) => {
    const [first] = stretch
    if (first === undefined) return []
    const values = stretch.map(({ low, high }) => (direction === 'above' ? high : low))
    return { atMs: first.atMs, value: direction === 'above' ? Math.max(...values) : Math.min(...values) }
  })
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

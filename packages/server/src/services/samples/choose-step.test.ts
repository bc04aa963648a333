import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseStep, gapOf } from './choose-step.ts'

const NOW = 1_767_225_600
const HOUR = 3600
const DAY = 86_400

test.each([
  ['ten minutes', 600, 601, 1, 1],
  ['an hour', HOUR, 500, 10, 1],
  ['two hours', 2 * HOUR, 500, 60, 60],
  ['a day', DAY, 500, 300, 60],
  ['a day in few points', DAY, 60, 1800, 60],
  ['a month', 30 * DAY, 500, 7200, 3600],
  ['five years', 1825 * DAY, 500, 168 * HOUR, 3600],
] as const)('[SAMPLE-9] %s is answered with a step that fits', (_, length, points, stepS, resolutionS) => {
  expect(chooseStep({ from: NOW - length, to: NOW, now: NOW, points })).toEqual({ stepS, resolutionS })
})

test('[SAMPLE-9] what is older than the seconds or the minutes is answered with what is stored', () => {
  const at = (daysAgo: number) =>
    chooseStep({ from: NOW - daysAgo * DAY, to: NOW - daysAgo * DAY + 600, now: NOW, points: 2000 })
  expect(at(0.5)).toEqual({ stepS: 1, resolutionS: 1 })
  expect(at(2)).toEqual({ stepS: 60, resolutionS: 60 })
  expect(at(400)).toEqual({ stepS: HOUR, resolutionS: HOUR })
})

test('[SAMPLE-9] no range gives more points than were asked for', () => {
  const range = fc.record({
    from: fc.integer({ min: NOW - 3660 * DAY, max: NOW }),
    length: fc.integer({ min: 1, max: 3660 * DAY }),
    points: fc.integer({ min: 2, max: 2000 }),
  })
  fc.assert(
    fc.property(range, ({ from, length, points }) => {
      const to = from + length
      const { stepS, resolutionS } = chooseStep({ from, to, now: NOW, points })
      expect(Math.ceil(to / stepS) - Math.floor(from / stepS)).toBeLessThanOrEqual(points)
      expect(stepS % resolutionS).toBe(0)
    }),
    { numRuns: 300, seed: 1 },
  )
})

test('[SAMPLE-3] a second that comes late is no gap, a minute without a sample is one', () => {
  expect(gapOf({ stepS: 1, resolutionS: 1 })).toBe(5)
  expect(gapOf({ stepS: 60, resolutionS: 60 })).toBe(60)
})

import { expect, test } from 'vitest'
import { runsOf } from './runs.ts'

const pointsAt = (...times: number[]) => times.map((at, value) => ({ at, value }))

test('points further apart than the gap are in runs of their own', () => {
  const runs = runsOf(pointsAt(0, 60, 240, 300), 60)
  expect(runs.map((run) => run.map(({ at }) => at))).toEqual([
    [0, 60],
    [240, 300],
  ])
})

test('[SHELL-110] of points at one time the last is drawn, and none that falls back', () => {
  const runs = runsOf(pointsAt(0, 60, 60, 30, 120, 400, 400), 60)
  expect(runs).toEqual([
    [
      { at: 0, value: 0 },
      { at: 60, value: 2 },
      { at: 120, value: 4 },
    ],
    [{ at: 400, value: 6 }],
  ])
})

test('[SHELL-110] a curve of points at one time alone is one point', () => {
  expect(runsOf(pointsAt(7, 7, 7), 60)).toEqual([[{ at: 7, value: 2 }]])
})

import { expect, test } from 'vitest'
import { LatencyWindow } from './latency-window.ts'

const HOUR_MS = 3_600_000

test('[MON-5] percentiles of the last hour are within 4 % of the durations', () => {
  const window = new LatencyWindow()
  for (let ms = 1; ms <= 1000; ms++) window.add(ms, ms)
  const { count, values } = window.percentiles([0.5, 0.95, 0.99], 2000)
  expect(count).toBe(1000)
  for (const [index, exact] of [500, 950, 990].entries())
    expect(Math.abs((values[index] ?? 0) / exact - 1)).toBeLessThan(0.04)
})

test('[MON-5] durations older than an hour do not count, and a slot is used again', () => {
  const window = new LatencyWindow()
  window.add(100, 0)
  window.add(5, HOUR_MS - 1)
  expect(window.percentiles([0.5], HOUR_MS - 1).count).toBe(2)
  expect(window.percentiles([0.5], HOUR_MS).count).toBe(1)
  window.add(5, HOUR_MS + 1)
  expect(window.percentiles([], HOUR_MS + 1).count).toBe(2)
  expect(window.percentiles([0.5], 3 * HOUR_MS)).toEqual({ count: 0, values: [0] })
})

test.each([0, 0.001, Number.NaN])('a duration of %d ms counts as the shortest', (ms) => {
  const window = new LatencyWindow()
  window.add(ms, 0)
  expect(window.percentiles([1], 0)).toEqual({ count: 1, values: [0.05] })
})

test('a duration beyond the scale counts as the longest', () => {
  const window = new LatencyWindow()
  window.add(10_000_000, 0)
  expect(window.percentiles([1], 0).values[0]).toBeGreaterThan(50_000)
})

import { expect, test } from 'vitest'
import { planPeriod } from './period.ts'

const NOW = Date.UTC(2026, 4, 31, 12)
const HOUR = 3_600_000

test.each([
  ['1D', '2026-05-31', '5m'],
  ['1W', '2026-05-25', '15m'],
  ['1M', '2026-04-30', '1h'],
  ['3M', '2026-02-28', '4h'],
  ['YTD', '2026-01-01', '4h'],
] as const)('[PERF-2] %s begins at 00:00 UTC of %s, in steps of %s', (period, day, interval) => {
  const plan = planPeriod(period, NOW, undefined)
  expect([new Date(plan.from).toISOString(), plan.interval]).toEqual([`${day}T00:00:00.000Z`, interval])
})

test('[PERF-2] All begins with the record, and has a point a day when it is longer than a year', () => {
  const early = Date.UTC(2024, 0, 1)
  expect(planPeriod('All', NOW, early)).toMatchObject({ from: early, interval: '1d' })
  expect(planPeriod('All', NOW, undefined).from).toBe(NOW)
})

test.each([
  [5 * 60_000, '1m', '1m'],
  [6 * HOUR, '1m', '1m'],
  [20 * HOUR, '5m', '5m'],
  [6 * 24 * HOUR, '15m', '1h'],
  [20 * 24 * HOUR, '1h', '4h'],
  [60 * 24 * HOUR, '4h', '1d'],
] as const)(
  '[PERF-30] with %i ms of record, three months and All have steps of %s and %s',
  (age, interval, strategyInterval) => {
    for (const period of ['3M', 'All'] as const)
      expect(planPeriod(period, NOW, NOW - age)).toMatchObject({ interval, strategyInterval })
  },
)

import { beforeEach, expect, test } from 'vitest'
import { createLab, type Lab } from '#testkit/lab.ts'

let lab: Lab
beforeEach(() => {
  lab = createLab()
})

test.each([
  ['maxOrderSize', -1, 'zero or more'],
  ['maxOrderSize', 1e308, 'less than 1e32'],
  ['maxOrderSize', 1e32, 'less than 1e32'],
  ['maxOrderSize', 1e-9, 'an amount of at most 8 decimals'],
  ['maxPositionSize', Number.NaN, 'a number'],
  ['maxDailyLoss', Number.POSITIVE_INFINITY, 'less than 1e32'],
  ['maxPositions', 2.5, 'a whole number from 0 to 9007199254740991'],
] as const)('[RISK-23] %s cannot be %s, and what it can be is said: %s', (name, value, requirement) => {
  const given = { maxOrderSize: 1, maxPositionSize: 1, maxDailyLoss: 1, maxPositions: 1, [name]: value }
  expect(lab.run({ type: 'ChangeLimits', limits: given })).toEqual({
    ok: false,
    reason: { code: 'limit.invalid', limit: name, given: String(value), requirement },
  })
})

test('the largest amount that is read is a limit', () => {
  const limits = { maxOrderSize: 9.99e31, maxPositionSize: 1, maxDailyLoss: 1, maxPositions: 1 }
  expect(lab.run({ type: 'ChangeLimits', limits })).toMatchObject({ ok: true })
  expect(lab.state.risk.limits.maxOrderSize).toBe(999n * 10n ** 37n)
})

test('[RISK-250] limits that are the same as now are accepted and recorded nowhere', () => {
  const limits = { maxOrderSize: 100, maxPositionSize: 200, maxDailyLoss: 50, maxPositions: 3 }
  expect(lab.run({ type: 'ChangeLimits', limits })).toMatchObject({ ok: true })
  const repeat = () => lab.run({ type: 'ChangeLimits', limits: { ...limits, maxOrderSize: '100.00' } })
  expect(lab.watch(repeat)).toEqual([])
})

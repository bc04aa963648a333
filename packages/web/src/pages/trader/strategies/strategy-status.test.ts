import { describe, expect, test } from 'vitest'
import { canStart, toneOfStatus } from './strategy-status.ts'

describe('strategy status', () => {
  test.each([
    ['running', true],
    ['stopped', false],
    ['error', false],
    ['active', false],
    ['RUNNING', false],
  ])('[STRAT-3] whether %s is green is %s', (status, isGreen) => {
    expect(toneOfStatus(status) === 'good').toBe(isGreen)
  })

  test.each([
    ['stopped', true],
    ['running', false],
    ['error', false],
    ['starting', false],
    ['', false],
  ])('[STRAT-4] whether a strategy that is %s can be started is %s', (status, expected) => {
    expect(canStart({ status })).toBe(expected)
  })
})

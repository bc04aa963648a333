import { describe, expect, test } from 'vitest'
import { formatDrawdown, formatWinRate, percentOf } from './percent.ts'

describe('percentages', () => {
  test.each([
    [0.625, '62.5%'],
    [0.4286, '42.9%'],
    [0, '0.0%'],
    [1, '100.0%'],
  ])('[FMT-2] a win rate of %d is shown as %s', (fraction, shown) => {
    expect(formatWinRate(fraction)).toBe(shown)
  })

  test.each([
    [2.31, '2.31%'],
    [0, '0.00%'],
    [12.5, '12.50%'],
    [-3.456, '-3.46%'],
  ])('[FMT-2] a drawdown of %d percent is shown as %s', (percent, shown) => {
    expect(formatDrawdown(percent)).toBe(shown)
  })

  test('[RISK-6] a share of nothing is 0 percent', () => {
    expect(percentOf(0, 0)).toBe(0)
    expect(percentOf(500, 0)).toBe(0)
  })

  test.each([50, 55, 60, 80, 90])('[RISK-7] %d of 100 is exactly that many percent', (bound) => {
    expect(percentOf(bound, 100)).toBe(bound)
    expect(percentOf(bound * 7, 700)).toBe(bound)
  })
})

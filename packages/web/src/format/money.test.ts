import { describe, expect, test } from 'vitest'
import {
  directionOf,
  formatAveragePrice,
  formatExactMoney,
  formatGain,
  formatMoney,
  formatPrice,
  formatQuantity,
  formatSignal,
  formatSize,
} from './money.ts'

describe('money', () => {
  test.each([
    [412.07, 'up'],
    [-65.1, 'down'],
    [0.004, undefined],
    [-0.004, undefined],
    [-0, undefined],
  ])('[POS-12] the direction of %d is %s', (amount, direction) => {
    expect(directionOf(amount)).toBe(direction)
  })

  test.each([
    [0, '$0.00'],
    [7, '$7.00'],
    [31204.175, '$31,204.18'],
    [1234567.5, '$1,234,567.50'],
    [-412.07, '-$412.07'],
    [-0.004, '$0.00'],
    [-0, '$0.00'],
  ])('[FMT-1] %d is shown as %s', (amount, shown) => {
    expect(formatMoney(amount)).toBe(shown)
  })

  test.each([
    [412.07, '+$412.07'],
    [-65.1, '-$65.10'],
    [0, '$0.00'],
    [-0, '$0.00'],
    [-0.001, '-$0.00'],
    [0.001, '+$0.00'],
    [12500, '+$12,500.00'],
  ])('[FMT-4] a gain of %d is shown as %s', (amount, shown) => {
    expect(formatGain(amount)).toBe(shown)
  })
})

describe('prices and quantities', () => {
  test.each([
    [67204.1, '67,204.10'],
    [3412.55, '3,412.55'],
    [0, '0.00'],
    [0.00001234, '0.00001234'],
  ])('[FMT-1] the price %d is shown as %s', (price, shown) => {
    expect(formatPrice(price)).toBe(shown)
  })

  test.each([
    [3014.50131894, '3,014.5013'],
    [151.78666279, '151.78666'],
    [66000, '66,000.00'],
    [12345678.919, '12,345,678.92'],
    [0.000012345678, '0.00001235'],
  ])('the average price %d is shown as %s: eight figures, the cents among them', (price, shown) => {
    expect(formatAveragePrice(price)).toBe(shown)
  })

  test.each([
    [0.001, '0.001'],
    [4, '4'],
    [125000.5, '125,000.5'],
    [0.00000001, '0.00000001'],
  ])('the quantity %d is shown as %s, no digit added or lost', (quantity, shown) => {
    expect(formatQuantity(quantity)).toBe(shown)
  })
})

test('[MKT-75] a size has the decimals of its lot, and none that is not zero is shown as 0', () => {
  expect(formatSize(0.2, 0.001)).toBe('0.200')
  expect(formatSize(0.1 + 0.2, 0.00001)).toBe('0.30000')
  expect(formatSize(1_250, 1)).toBe('1,250')
  expect(formatSize(0.0004, 0.001)).toBe('0.0004')
  expect(formatSize(0, 0.001)).toBe('0.000')
  expect(formatSize(0.25, undefined)).toBe('0.25')
})

test('[RISK-65] an entered amount has as many decimals as it has, at least two', () => {
  expect([0.00000001, 0.004, 10_000, 1_234_567_890.5].map(formatExactMoney)).toEqual([
    '$0.00000001',
    '$0.004',
    '$10,000.00',
    '$1,234,567,890.50',
  ])
})

test('[SHELL-80] a figure of a signal is named in words and rounded', () => {
  expect(formatSignal('fast_average', 60_005.196_812_3)).toBe('fast average 60,005.197')
  expect(formatSignal('distance_bps', -0.100_388_84)).toBe('distance (bps) -0.1004')
})

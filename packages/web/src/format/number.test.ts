import { expect, test } from 'vitest'
import { formatNumber } from './number.ts'

const DECIMALS = [
  [0, 0],
  [0, 3],
  [1, 1],
  [2, 2],
  [2, 8],
  [0, 12],
] as const

/** Around every power of ten that prices, sizes and counts reach, with halves that binary cannot hold. */
const VALUES = Array.from({ length: 26 }, (_, index) => 10 ** (index - 13)).flatMap((unit) =>
  [1, 0.5, 1.005, 2.675, 9.9995, 9.999999, 4.4449, 1 / 3].flatMap((times) => [unit * times, -unit * times]),
)

test.each(DECIMALS)('[FMT-120] with %i to %i decimals as Intl prints it', (min, max) => {
  const intl = new Intl.NumberFormat('en-US', { minimumFractionDigits: min, maximumFractionDigits: max })
  for (const value of [...VALUES, 0, -0, 1e21, 5e-324, Number.NaN, Number.POSITIVE_INFINITY])
    expect(formatNumber(value, min, max)).toBe(intl.format(value))
})

test.each([
  [0, '0'],
  [1_234_567, '1,234,567'],
  [1234.5678, '1,234.568'],
])('[FMT-120] %d has at most three decimals unless more are wanted: %s', (value, shown) => {
  expect(formatNumber(value)).toBe(shown)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generated } from '#testkit/generated.ts'
import { addToEma, createEma } from './ema.ts'
import { createRolling } from './rolling.ts'

/** Prices in ticks that walk, jump and stand still. */
const prices = fc.array(fc.integer({ min: 1, max: 900_000_000 }), { minLength: 1, maxLength: 120 })
const lengths = fc.integer({ min: 1, max: 40 })

test('an exponential average equals its definition, value by value', () => {
  fc.assert(
    fc.property(prices, lengths, (values, length) => {
      const ema = createEma(length)
      values.forEach((value, index) => {
        const got = addToEma(ema, value)
        expect(closeTo(got, naiveEma(values.slice(0, index + 1), length))).toBe(true)
      })
      expect(ema.count).toBe(values.length)
    }),
    generated('cases'),
  )
})

test('mean, deviation and score of a window equal those computed from its values', () => {
  fc.assert(
    fc.property(prices, lengths, (values, length) => {
      const rolling = createRolling(length)
      values.forEach((value, index) => {
        rolling.add(value)
        const window = values.slice(Math.max(0, index + 1 - length), index + 1)
        const { mean, deviation } = naive(window)
        expect(closeTo(rolling.mean(), mean)).toBe(true)
        expect(closeTo(rolling.deviation(), deviation, 1)).toBe(true)
        expect(rolling.isFull).toBe(index + 1 >= length)
        // A deviation may be off by one, which is little only of a large one.
        if (deviation > 1_000)
          expect(closeTo(rolling.score(value), (value - mean) / deviation, 1e-3)).toBe(true)
      })
    }),
    generated('cases'),
  )
})

test('a window that does not vary scores nothing', () => {
  const rolling = createRolling(5)
  expect(rolling.score(7)).toBe(0)
  for (let count = 0; count < 12; count++) rolling.add(5_000_000)
  expect(rolling.deviation()).toBe(0)
  expect(rolling.score(5_000_100)).toBe(0)
})

test('a window far from its first value loses nothing', () => {
  const rolling = createRolling(3)
  for (let value = 1; value <= 800_000_000; value += 7_999_999) rolling.add(value)
  for (const value of [800_000_001, 800_000_003, 800_000_005]) rolling.add(value)
  expect(rolling.mean()).toBe(800_000_003)
  expect(rolling.deviation()).toBeCloseTo(Math.sqrt(8 / 3), 12)
})

/** The weighted sum written out: every value with its own weight, oldest first. */
function naiveEma(values: readonly number[], length: number): number {
  const weight = 2 / (length + 1)
  return values.reduce((sum, value, index) => {
    const age = values.length - 1 - index
    return sum + value * (index === 0 ? 1 : weight) * (1 - weight) ** age
  }, 0)
}

function naive(window: readonly number[]): { mean: number; deviation: number } {
  const mean = window.reduce((sum, value) => sum + value, 0) / window.length
  const squares = window.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / window.length) }
}

function closeTo(one: number, other: number, atLeast = 1e-6): boolean {
  return Math.abs(one - other) <= Math.max(atLeast, 1e-9 * Math.abs(other))
}

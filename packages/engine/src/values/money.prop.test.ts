import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generated } from '#testkit/generated.ts'
import {
  type Money,
  minus,
  moneyFromUnits,
  moneyOfUnits,
  moneyToNumber,
  negative,
  plus,
  portion,
  portionUp,
  sizeOf,
  times,
  unitsToNumber,
} from './money.ts'

/** Amounts of every size, most of them about the bounds at which one form gives way to the other. */
const amounts = fc.oneof(
  fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }),
  around(2n ** 51n),
  around(2n ** 52n),
  around(2n ** 53n),
  around(0n),
)

/** Whole numbers of lots, ticks and millionths, and far larger ones. */
const counts = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.maxSafeInteger(),
)
const divisors = counts.map((count) => Math.abs(count) || 1)

function around(bound: bigint): fc.Arbitrary<bigint> {
  return fc
    .tuple(fc.bigInt({ min: -1_000n, max: 1_000n }), fc.boolean())
    .map(([near, isBelow]) => (isBelow ? -bound : bound) + near)
}

/** The one form of an amount: a double that is whole and not -0, or a bigint that no double could hold. */
function isInForm(amount: Money): boolean {
  if (typeof amount === 'number') return Number.isSafeInteger(amount) && !Object.is(amount, -0)
  return sizeOf(amount) > Number.MAX_SAFE_INTEGER
}

function expectUnits(amount: Money, units: bigint): void {
  // Called so often that a plain comparison pays.
  if (!isInForm(amount) || BigInt(amount) !== units) expect(amount).toBe(moneyFromUnits(units))
}

const RUNS = generated('moneyCases')

test('sums, differences and opposites are those of whole numbers without bound', () => {
  fc.assert(
    fc.property(amounts, amounts, (one, other) => {
      expectUnits(plus(moneyFromUnits(one), moneyFromUnits(other)), one + other)
      expectUnits(minus(moneyFromUnits(one), moneyFromUnits(other)), one - other)
      expectUnits(negative(moneyFromUnits(one)), -one)
      expectUnits(sizeOf(moneyFromUnits(one)), one < 0n ? -one : one)
      expectUnits(moneyOfUnits(String(one)), one)
      if (moneyFromUnits(one) < moneyFromUnits(other) !== one < other)
        throw new Error('another is the smaller')
      if ((moneyFromUnits(one) === moneyFromUnits(other)) !== (one === other))
        throw new Error('they are not equally equal')
    }),
    RUNS,
  )
})

test('products are those of whole numbers without bound', () => {
  fc.assert(
    fc.property(amounts, counts, (units, count) => {
      expectUnits(times(moneyFromUnits(units), count), units * BigInt(count))
    }),
    RUNS,
  )
})

test('a portion is cut towards zero, and one for the venue rounded up, whatever the sizes', () => {
  fc.assert(
    fc.property(amounts, counts, divisors, (units, parts, of) => {
      const product = units * BigInt(parts)
      const cut = product / BigInt(of)
      const isCut = cut * BigInt(of) !== product
      expectUnits(portion(moneyFromUnits(units), parts, of), cut)
      expectUnits(portionUp(moneyFromUnits(units), parts, of), product > 0n && isCut ? cut + 1n : cut)
    }),
    RUNS,
  )
})

test('a portion that is all but a whole one is not rounded to it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 2 ** 26 }), fc.integer({ min: 1, max: 2 ** 26 }), (of, count) => {
      const units = BigInt(of) * BigInt(count) - 1n
      expectUnits(portion(moneyFromUnits(units), 1, of), units / BigInt(of))
      expectUnits(portion(moneyFromUnits(-units), 1, of), -units / BigInt(of))
    }),
    RUNS,
  )
})

test('the nearest double of an amount is the one that Number gives, however large', () => {
  fc.assert(
    fc.property(amounts, (units) => {
      expect(unitsToNumber(moneyFromUnits(units))).toBe(Number(units))
      expect(moneyToNumber(moneyFromUnits(units))).toBe(Number(units) / 1e8)
    }),
    RUNS,
  )
})

test('the digits of a journal are read in the same form, whatever they look like', () => {
  for (const [digits, units] of DIGITS) expectUnits(moneyOfUnits(digits), units)
})

const DIGITS: readonly (readonly [string, bigint])[] = [
  ['-0', 0n],
  ['-00', 0n],
  ['000000000000000000001', 1n],
  ['-99999999999999', -99_999_999_999_999n],
  ['999999999999999', 999_999_999_999_999n],
  ['-999999999999999', -999_999_999_999_999n],
  ['9007199254740993', 9_007_199_254_740_993n],
]

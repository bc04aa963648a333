import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { money, unitsToNumber } from './money.ts'

describe('why money is not a double (0004)', () => {
  const fills = Array.from({ length: 200_000 }, (_, index) => ({
    ticks: 6_000_000 + ((index * 7_919) % 100_003),
    lots: 1 + ((index * 104_729) % 997),
    isBuy: index % 2 === 0,
  }))

  test('sums of fills and fees return to exactly nothing in money', () => {
    let [cash, cost, fees] = [money(0n), money(0n), money(0n)]
    for (const { ticks, lots, isBuy } of fills) {
      const value = BigInt(ticks) * BigInt(lots) * 10n
      const fee = (value * 400n + 999_999n) / 1_000_000n
      cash = money(cash + (isBuy ? -value : value) - fee)
      cost = money(cost + (isBuy ? value : -value))
      fees = money(fees + fee)
    }
    expect(cash + cost + fees).toBe(0n)
  })

  test('the same sums drift in doubles', () => {
    let [cash, cost, fees] = [0, 0, 0]
    for (const { ticks, lots, isBuy } of fills) {
      const value = ticks * 0.01 * (lots * 0.00001)
      const fee = value * 0.0004
      cash += (isBuy ? -value : value) - fee
      cost += isBuy ? value : -value
      fees += fee
    }
    expect(cash + cost + fees).not.toBe(0)
  })
})

test('the nearest double of an amount is the one that Number gives, however large', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
      fc.integer({ min: 0, max: 70 }),
      (size, shift) => {
        const units = size >> BigInt(shift)
        expect(unitsToNumber(units)).toBe(Number(units))
      },
    ),
  )
})

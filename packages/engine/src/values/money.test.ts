import { describe, expect, test } from 'vitest'
import { minus, moneyFromUnits, NO_MONEY, plus, portionUp, times } from './money.ts'

describe('why money is counted in units (0004)', () => {
  const fills = Array.from({ length: 200_000 }, (_, index) => ({
    ticks: 6_000_000 + ((index * 7_919) % 100_003),
    lots: 1 + ((index * 104_729) % 997),
    isBuy: index % 2 === 0,
  }))

  test('sums of fills and fees return to exactly nothing in money', () => {
    let [cash, cost, fees] = [NO_MONEY, NO_MONEY, NO_MONEY]
    for (const { ticks, lots, isBuy } of fills) {
      const value = times(moneyFromUnits(BigInt(ticks) * 10n), lots)
      const fee = portionUp(value, 400, 1_000_000)
      cash = minus(isBuy ? minus(cash, value) : plus(cash, value), fee)
      cost = isBuy ? plus(cost, value) : minus(cost, value)
      fees = plus(fees, fee)
    }
    expect(plus(plus(cash, cost), fees)).toBe(NO_MONEY)
  })

  test('the same sums drift in doubles of the currency', () => {
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

test('an amount is a double up to the last whole one, and a bigint beyond', () => {
  const last = 9_007_199_254_740_991n
  expect(moneyFromUnits(last)).toBe(9_007_199_254_740_991)
  expect(moneyFromUnits(-last)).toBe(-9_007_199_254_740_991)
  expect(moneyFromUnits(last + 1n)).toBe(9_007_199_254_740_992n)
  expect(plus(moneyFromUnits(last), moneyFromUnits(2n))).toBe(9_007_199_254_740_993n)
  expect(minus(moneyFromUnits(last + 2n), moneyFromUnits(2n))).toBe(9_007_199_254_740_991)
})

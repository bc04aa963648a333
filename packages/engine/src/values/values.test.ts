import { describe, expect, test } from 'vitest'
import { parseDecimal, printUnits } from './decimal.ts'
import { createIncrement } from './increment.ts'
import { instantFromMs, startOfDay } from './instant.ts'
import {
  moneyFromUnits,
  moneyToNumber,
  nearestMoney,
  parseMoney,
  portion,
  portionUp,
  printMoney,
} from './money.ts'
import { nearestPrice, parsePrice, priceFromTicks, priceToNumber } from './price.ts'
import { netQuantityFromLots, parseQuantity, quantityFromLots } from './quantity.ts'

const cent = createIncrement('0.01', '10000000')
const milli = createIncrement('0.001', '9000')

describe('prices', () => {
  test('a price on the tick is counted in ticks, from numbers and from text', () => {
    expect(parsePrice(60_000.12, cent)).toEqual({ ok: true, value: 6_000_012 })
    expect(parsePrice('60000.120', cent)).toEqual({ ok: true, value: 6_000_012 })
    expect(parsePrice('6.000012e4', cent)).toEqual({ ok: true, value: 6_000_012 })
    expect(parsePrice(0.07, cent)).toEqual({ ok: true, value: 7 })
  })

  test('an off-tick price is refused with the tick and its two neighbours', () => {
    expect(parsePrice(100.005, cent)).toEqual({
      ok: false,
      reason: { fault: 'off-step', given: '100.005', step: '0.01', below: '100', above: '100.01' },
    })
    expect(parsePrice('0.000000001', cent)).toMatchObject({ reason: { fault: 'off-step', below: '0' } })
    expect(parsePrice('0.0100000001', cent)).toMatchObject({ reason: { fault: 'off-step', below: '0.01' } })
  })

  test.each([
    [Number.NaN, 'not-a-number'],
    ['', 'not-a-number'],
    ['.', 'not-a-number'],
    ['12,5', 'not-a-number'],
    ['0x10', 'not-a-number'],
    [Number.POSITIVE_INFINITY, 'infinite'],
    ['-Infinity', 'infinite'],
    [0, 'zero'],
    [-0, 'zero'],
    ['0.000', 'zero'],
    [-0.01, 'negative'],
    ['-1e-12', 'negative'],
    [10_000_000.01, 'too-large'],
    ['1e400', 'too-large'],
    ['1e999999', 'too-large'],
    [Number.MAX_VALUE, 'too-large'],
  ])('%s is refused as %s', (given, fault) => {
    expect(parsePrice(given, cent)).toMatchObject({ ok: false, reason: { fault, given: String(given) } })
  })

  test('a price that is too large names the largest', () => {
    expect(parsePrice(1e9, cent)).toMatchObject({ reason: { max: '10000000' } })
    expect(parsePrice(10_000_000, cent)).toEqual({ ok: true, value: 1_000_000_000 })
  })

  test('a price prints as it was written', () => {
    expect(priceToNumber(priceFromTicks(6_000_012), cent)).toBe(60_000.12)
    expect(priceToNumber(priceFromTicks(3), cent)).toBe(0.03)
  })

  test('a modelled value goes to the nearest tick and never below one', () => {
    expect(nearestPrice(100.0049, cent)).toBe(10_000)
    expect(nearestPrice(0.001, cent)).toBe(1)
    expect(nearestPrice(1e30, cent)).toBe(1_000_000_000)
  })

  test('ticks that are not whole and positive are a bug', () => {
    for (const ticks of [0, -1, 1.5, Number.NaN, 2 ** 53])
      expect(() => priceFromTicks(ticks)).toThrow('not a price')
  })
})

describe('quantities', () => {
  test('an off-lot quantity is refused with the lot and its two neighbours', () => {
    expect(parseQuantity(0.0015, milli)).toMatchObject({
      reason: { fault: 'off-step', step: '0.001', below: '0.001', above: '0.002' },
    })
  })

  test('0.001 is one lot of 0.001', () => {
    expect(parseQuantity(0.001, milli)).toEqual({ ok: true, value: 1 })
    expect(parseQuantity(1e-3, milli)).toEqual({ ok: true, value: 1 })
  })

  test('lots that are not whole are a bug', () => {
    expect(() => quantityFromLots(-1)).toThrow('not a quantity')
    expect(() => quantityFromLots(0.5)).toThrow('not a quantity')
    expect(() => netQuantityFromLots(Number.NaN)).toThrow('not a net quantity')
    expect(Object.is(netQuantityFromLots(-0), 0)).toBe(true)
  })
})

describe('money', () => {
  test('an amount is read and printed exactly', () => {
    expect(parseMoney('90071992547.40993')).toEqual({ ok: true, value: 9_007_199_254_740_993_000n })
    expect(printMoney(moneyFromUnits(-12_345_678n))).toBe('-0.12345678')
    expect(printMoney(moneyFromUnits(500_000_000n))).toBe('5')
    expect(moneyToNumber(moneyFromUnits(1_050_000_000n))).toBe(10.5)
    expect(nearestMoney(0.1 + 0.2)).toBe(30_000_000)
  })

  test('an amount with more than eight decimals is refused, not rounded', () => {
    expect(parseMoney('0.000000001')).toEqual({ ok: false, reason: 'too-fine' })
    expect(parseMoney('1.00000000000')).toEqual({ ok: true, value: 100_000_000 })
  })

  test('a portion is cut, a fee is rounded up', () => {
    expect(portion(moneyFromUnits(10n), 1, 3)).toBe(3)
    expect(portion(moneyFromUnits(-10n), 1, 3)).toBe(-3)
    expect(portionUp(moneyFromUnits(10n), 1, 3)).toBe(4)
    expect(portionUp(moneyFromUnits(9n), 1, 3)).toBe(3)
    expect(portionUp(moneyFromUnits(10n), -1, 3)).toBe(-3)
  })

  test('an amount that is not finite is a bug', () => {
    expect(() => nearestMoney(Number.NaN)).toThrow('not an amount')
  })
})

describe('decimals and instants', () => {
  test('digits beyond 10⁻⁸ are cut and reported', () => {
    expect(parseDecimal('1.123456789')).toEqual({
      ok: true,
      value: { units: 112_345_678n, isExact: false, isNegative: false },
    })
    expect(printUnits(112_345_678n)).toBe('1.12345678')
  })

  test('a step must be a multiple of 10⁻⁸ that converts exactly', () => {
    expect(() => createIncrement('0.000000001', '1')).toThrow('not a multiple')
    expect(() => createIncrement('0.01', '1000000000')).toThrow('does not convert exactly')
  })

  test('an instant is whole milliseconds, and its day starts at 00:00 UTC', () => {
    expect(startOfDay(instantFromMs(Date.UTC(2026, 0, 2, 13, 5)))).toBe(Date.UTC(2026, 0, 2))
    expect(() => instantFromMs(1.5)).toThrow('not an instant')
  })
})

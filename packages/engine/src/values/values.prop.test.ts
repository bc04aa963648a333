import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generated } from '#testkit/generated.ts'
import { parseDecimal, plainUnits, printUnits } from './decimal.ts'
import { countIncrements, createIncrement } from './increment.ts'
import { moneyFromUnits, parseMoney, printMoney } from './money.ts'
import { parsePrice, priceFromTicks, priceToNumber } from './price.ts'

const cent = createIncrement('0.01', '10000000')

test('every price survives the way through a double and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: cent.maxCount }), (ticks) => {
      expect(parsePrice(priceToNumber(priceFromTicks(ticks), cent), cent)).toEqual({ ok: true, value: ticks })
    }),
    generated('cases'),
  )
})

test('every amount survives printing and reading', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (units) => {
      expect(parseMoney(printMoney(moneyFromUnits(units)))).toEqual({
        ok: true,
        value: moneyFromUnits(units),
      })
    }),
    generated('cases'),
  )
})

test('a decimal text is on the step exactly when its units divide by the step', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      fc.bigInt({ min: 1n, max: 10n ** 6n }),
      (units, of) => {
        const counted = countIncrements(printUnits(units), {
          units: of,
          unitCount: Number(of),
          maxCount: Number.MAX_SAFE_INTEGER,
        })
        expect(counted.ok).toBe(units % of === 0n)
      },
    ),
    generated('cases'),
  )
})

test('a plain decimal has the units that parsing any decimal gives, or is left to that', () => {
  const digits = fc.string({ unit: fc.constantFrom('0', '1', '5', '9'), maxLength: 12 })
  const text = fc.tuple(digits, fc.constantFrom('', '.', '..', 'e', '-', ' '), digits)
  fc.assert(
    fc.property(text, (parts) => {
      const given = parts.join('')
      const [plain, parsed] = [plainUnits(given), parseDecimal(given)]
      const units = plain === -1 ? null : { units: BigInt(plain), isExact: true, isNegative: false }
      expect(units === null || parsed.ok).toBe(true)
      if (units !== null) expect(parsed).toEqual({ ok: true, value: units })
    }),
    generated('cases'),
  )
  expect(['0.25', '.5', '2.', '1234567', '12345678', '1e3', '-1', '', '.'].map(plainUnits)).toEqual([
    25_000_000, 50_000_000, 200_000_000, 123_456_700_000_000, -1, -1, -1, -1, -1,
  ])
})

test('no number and no text makes parsing throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.string(), fc.float()), (value) => {
      const counted = countIncrements(value, cent)
      expect(counted.ok ? counted.value > 0 : counted.reason.given === String(value)).toBe(true)
    }),
    generated('cases'),
  )
})

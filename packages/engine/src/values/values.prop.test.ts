import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generated } from '#testkit/generated.ts'
import { printUnits } from './decimal.ts'
import { money, parseMoney, printMoney } from './money.ts'
import { parsePrice, price, priceToNumber } from './price.ts'
import { countSteps, step } from './step.ts'

const cent = step('0.01', '10000000')

test('every price survives the way through a double and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: cent.maxSteps }), (ticks) => {
      expect(parsePrice(priceToNumber(price(ticks), cent), cent)).toEqual({ ok: true, value: ticks })
    }),
    generated('cases'),
  )
})

test('every amount survives printing and reading', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (units) => {
      expect(parseMoney(printMoney(money(units)))).toEqual({ ok: true, value: money(units) })
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
        const counted = countSteps(printUnits(units), {
          units: of,
          unitCount: Number(of),
          maxSteps: Number.MAX_SAFE_INTEGER,
        })
        expect(counted.ok).toBe(units % of === 0n)
      },
    ),
    generated('cases'),
  )
})

test('no number and no text makes parsing throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.string(), fc.float()), (value) => {
      const counted = countSteps(value, cent)
      expect(counted.ok ? counted.value > 0 : counted.reason.given === String(value)).toBe(true)
    }),
    generated('cases'),
  )
})

import { describe, expect, test } from 'vitest'
import { standardInstruments } from '#market/instruments.ts'
import { describeReason } from '#model/describe.ts'
import { anOrder } from '#testkit/builders.ts'
import { createLab } from '#testkit/lab.ts'
import { type IdempotencyKey, idFrom } from '#values/ids.ts'
import { parseOrder } from './parse-order.ts'

const instruments = standardInstruments()
const limit = { orderType: 'LIMIT', quantity: 0.1, price: 50_000 } as const

describe('malformed orders', () => {
  test.each([
    [{ instrument: 'DOGEUSDT' }, 'instrument.unknown', "There is no instrument 'DOGEUSDT'."],
    [{ quantity: Number.NaN }, 'quantity.not-a-number', "The quantity 'NaN' is not a number."],
    [{ quantity: Number.POSITIVE_INFINITY }, 'quantity.infinite', 'The quantity Infinity is not finite.'],
    [{ quantity: 0 }, 'quantity.zero', 'Enter a quantity above 0.'],
    [{ quantity: -1 }, 'quantity.negative', 'Enter a quantity above 0.'],
    [{ quantity: 1e9 }, 'quantity.too-large', 'The quantity 1000000000 is above the maximum, 9000.'],
    [
      { quantity: 0.000105 },
      'quantity.off-lot',
      'The quantity 0.000105 is not a multiple of the lot 0.00001; the nearest are 0.0001 and 0.00011.',
    ],
    [
      { quantity: 0.00005 },
      'quantity.below-minimum',
      'The quantity 0.00005 is too small. Min 0.0001, step 0.00001.',
    ],
    [
      { quantity: 0.000001 },
      'quantity.below-minimum',
      'The quantity 0.000001 is too small. Min 0.0001, step 0.00001.',
    ],
    [
      { quantity: 0.000095 },
      'quantity.below-minimum',
      'The quantity 0.000095 is too small. Min 0.0001, step 0.00001.',
    ],
    [{ ...limit, price: Number.NaN }, 'price.not-a-number', "The price 'NaN' is not a number."],
    [{ ...limit, price: Number.NEGATIVE_INFINITY }, 'price.infinite', 'The price -Infinity is not finite.'],
    [{ ...limit, price: 0 }, 'price.zero', 'Enter a price above 0.'],
    [{ ...limit, price: -5 }, 'price.negative', 'Enter a price above 0.'],
    [{ ...limit, price: '1e30' }, 'price.too-large', 'The price 1e30 is above the maximum, 9000000.'],
    [
      { ...limit, price: 50_000.005 },
      'price.off-tick',
      'The price 50000.005 is not a multiple of the tick 0.01; the nearest are 50000 and 50000.01.',
    ],
    [
      { ...limit, price: 0.001 },
      'price.off-tick',
      'The price 0.001 is not a multiple of the tick 0.01; the smallest is 0.01.',
    ],
    [{ ...limit, price: null }, 'price.missing', 'A LIMIT order needs a price.'],
    [{ orderType: 'STOP' }, 'price.missing', 'A STOP order needs a price.'],
    [{ timeInForce: 'GTC' }, 'time-in-force.unsupported', 'A MARKET order cannot be GTC.'],
    [
      { orderType: 'STOP', price: 1, timeInForce: 'FOK' },
      'time-in-force.unsupported',
      'A STOP order cannot be FOK.',
    ],
    [
      { key: idFrom<IdempotencyKey>('k'.repeat(201)) },
      'key.too-long',
      'The idempotency key has 201 characters; at most 200 are allowed.',
    ],
  ] as const)('%o is %s', (given, code, sentence) => {
    const parsed = parseOrder(instruments, anOrder(given))
    expect(parsed).toMatchObject({ ok: false, reason: { code } })
    expect(!parsed.ok && describeReason(parsed.reason)).toBe(sentence)
  })

  test('they leave no order and no entry behind', () => {
    const lab = createLab()
    expect(lab.watch(() => lab.run(anOrder({ quantity: -1 })))).toEqual([])
    expect(lab.run(anOrder({ quantity: -1 }))).toMatchObject({ ok: false })
    expect(lab.entries).toHaveLength(1)
  })
})

describe('well-formed orders', () => {
  test('a price sent with a market order is ignored', () => {
    expect(parseOrder(instruments, anOrder({ price: 0 }))).toMatchObject({ ok: true, value: { price: null } })
  })

  test('what is left out has its default value', () => {
    expect(parseOrder(instruments, anOrder(limit))).toEqual({
      ok: true,
      value: {
        strategy: 'MANUAL',
        instrument: 'BTCUSDT',
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        quantity: 10_000,
        price: 5_000_000,
        reduceOnly: false,
        key: null,
      },
    })
    expect(parseOrder(instruments, anOrder())).toMatchObject({ value: { timeInForce: 'IOC' } })
  })

  test('the long name of the primary venue is the short one', () => {
    expect(parseOrder(instruments, anOrder({ instrument: 'BTCUSDT.BINANCE' }))).toMatchObject({
      value: { instrument: 'BTCUSDT' },
    })
  })
})

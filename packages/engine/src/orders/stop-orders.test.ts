import { beforeEach, describe, expect, test } from 'vitest'
import { describeReason } from '#model/describe.ts'
import { createLab } from '#testkit/lab.ts'
import { createWealthyLab } from '#testkit/wealthy-lab.ts'

/** Can be sold short. */
const traded = 'BTCUSDT-PERP'

let lab = createWealthyLab(traded)
beforeEach(() => {
  lab = createWealthyLab(traded)
})

describe('stop orders', () => {
  test('one waits for its trigger and then buys at the market', () => {
    const order = lab.place({ orderType: 'STOP', side: 'BUY', price: 50_100, quantity: 0.2 })
    expect(order).toMatchObject({ state: 'WORKING', isTriggered: false })
    lab.quote({ bid: 50_098, ask: 50_099 })
    expect(order.isTriggered).toBe(false)
    const events = lab.watch(() => lab.quote({ bid: 50_105, ask: 50_106 }))
    expect(events.map(({ type }) => type)).toEqual(['OrderTriggered', 'OrderFilled'])
    expect(lab.events.at(-1)).toMatchObject({ price: 5_010_600 })
  })

  test('a stop to sell is triggered by the bid falling to it', () => {
    const order = lab.place({ orderType: 'STOP', side: 'SELL', price: 49_900, quantity: 0.2 })
    lab.quote({ bid: 49_901, ask: 49_902 })
    expect(order.state).toBe('WORKING')
    lab.quote({ bid: 49_900, ask: 49_901 })
    expect(order.state).toBe('FILLED')
  })
})

describe('[ORD-15] a stop that the market has already reached', () => {
  const stop = (side: 'BUY' | 'SELL', price: number) =>
    ({ orderType: 'STOP', side, price, quantity: 0.2 }) as const
  const past = (side: 'BUY' | 'SELL', price: number, market: number) => ({
    reason: { code: 'stop.past-market', side, price, market },
  })

  test('is denied, at the very price as well as beyond it', () => {
    expect(lab.place(stop('SELL', 50_000))).toMatchObject({
      state: 'DENIED',
      ...past('SELL', 50_000, 50_000),
    })
    expect(lab.place(stop('BUY', 50_001))).toMatchObject({ state: 'DENIED', ...past('BUY', 50_001, 50_001) })
    expect(lab.place(stop('SELL', 49_999.99)).state).toBe('WORKING')
    expect(lab.place(stop('BUY', 50_001.01)).state).toBe('WORKING')
  })

  test('is denied when it would only reduce', () => {
    lab.place({ quantity: 0.5 })
    const order = lab.place({ ...stop('SELL', 50_500), reduceOnly: true })
    expect(order).toMatchObject({ state: 'DENIED', ...past('SELL', 50_500, 50_000) })
  })

  test.each([
    [
      'SELL',
      64_100,
      63_950.1,
      'A sell stop must be below the market: 64,100.00 given, the bid is 63,950.10.',
    ],
    ['BUY', 0.08, 0.081234, 'A buy stop must be above the market: 0.08 given, the ask is 0.081234.'],
  ] as const)('is denied with both prices (%s)', (side, price, market, sentence) => {
    expect(describeReason({ code: 'stop.past-market', side, price, market })).toBe(sentence)
  })

  test('is not moved there either, and stays as it was', () => {
    const order = lab.place(stop('SELL', 49_000))
    const change = { type: 'ModifyOrder', orderId: order.id } as const
    expect(lab.run({ ...change, price: 50_000 })).toMatchObject({
      ok: false,
      ...past('SELL', 50_000, 50_000),
    })
    expect(lab.run({ ...change, price: 49_999 })).toMatchObject({ ok: true })
    expect(order).toMatchObject({ state: 'WORKING', price: 4_999_900 })
  })

  test('is left to the venue when our own quote is old, which rejects it', () => {
    lab.wait(3_600_000)
    const order = lab.place(stop('SELL', 50_500))
    expect(order).toMatchObject({ state: 'REJECTED', ...past('SELL', 50_500, 50_000) })
  })

  test('fires when a venue took it before a restart and the market moved meanwhile', () => {
    const { id } = lab.place(stop('SELL', 49_000))
    const later = createLab({ state: lab.state, traded })
    later.quote({ bid: 48_000, ask: 48_001 })
    expect(later.order(id).state).toBe('FILLED')
  })
})

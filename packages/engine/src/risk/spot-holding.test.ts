import { beforeEach, describe, expect, test } from 'vitest'
import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import { fold } from '#journal/replay.ts'
import { createInstruments, standardInstruments } from '#market/instruments.ts'
import { describeReason } from '#model/describe.ts'
import type { Order } from '#model/order.ts'
import { createHardState } from '#state/hard-state.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { idFrom, type PositionId, type StrategyId } from '#values/ids.ts'

const limits = { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 1e6, maxPositions: 10 }
const opening = { cash: 1e6, limits }
const sell = (price: number, quantity: number) =>
  ({ orderType: 'LIMIT', side: 'SELL', price, quantity }) as const
const sentence = ({ reason }: Order) => reason && describeReason(reason)

let lab: Lab
beforeEach(() => {
  lab = createLab({ opening })
  lab.quote({ bid: 50_000, ask: 50_001, size: 5 })
})

describe('[RISK-46] a spot sell beyond the holding', () => {
  test('is denied with the holding', () => {
    lab.place({ quantity: 0.011 })
    const denied = lab.place({ side: 'SELL', quantity: 0.012 })
    expect(denied).toMatchObject({ state: 'DENIED', reason: { code: 'spot.short', held: 0.011, working: 0 } })
    expect(sentence(denied)).toBe('You hold 0.011 BTC; spot cannot be sold short.')
  })

  test('is denied when nothing is held, as a market, limit or stop order', () => {
    const orders = [{ side: 'SELL' }, sell(50_500, 0.1), { ...sell(49_000, 0.1), orderType: 'STOP' }] as const
    for (const order of orders) {
      expect(sentence(lab.place(order))).toBe('You hold 0 BTC; spot cannot be sold short.')
    }
  })

  test('counts the working sells, and the text says so', () => {
    lab.place({ quantity: 0.3 })
    expect(lab.place(sell(50_500, 0.1)).state).toBe('WORKING')
    expect(lab.place({ ...sell(49_000, 0.1), orderType: 'STOP' }).state).toBe('WORKING')
    const denied = lab.place({ side: 'SELL', quantity: 0.2 })
    expect(sentence(denied)).toBe(
      'You hold 0.3 BTC, and working orders already sell 0.2 of it; spot cannot be sold short.',
    )
    expect(lab.place({ side: 'SELL', quantity: 0.1 }).state).toBe('FILLED')
  })

  test('is denied for one strategy whatever another holds', () => {
    lab.place({ quantity: 0.3 })
    const denied = lab.place({ side: 'SELL', quantity: 0.1, strategy: idFrom<StrategyId>('S-7') })
    expect(sentence(denied)).toBe('Strategy S-7 holds 0 BTC; spot cannot be sold short.')
  })

  test('cannot come from a change of a working sell, which can grow up to the holding', () => {
    lab.place({ quantity: 0.3 })
    const { id: orderId } = lab.place(sell(50_500, 0.1))
    expect(lab.run({ type: 'ModifyOrder', orderId, quantity: 0.31 })).toMatchObject({
      ok: false,
      reason: { code: 'spot.short', held: 0.3, working: 0 },
    })
    expect(lab.run({ type: 'ModifyOrder', orderId, quantity: 0.3 })).toMatchObject({ ok: true })
  })

  test('is denied after a partial fill when it exceeds the rest', () => {
    lab.place({ quantity: 0.3 })
    const order = lab.place(sell(50_500, 0.2))
    lab.quote({ bid: 50_400, ask: 51_000 })
    lab.trade({ price: 50_500, size: 0.05, aggressor: 'BUY' })
    expect(order.filled).toBe(5_000)
    expect(lab.place(sell(50_500, 0.11))).toMatchObject({ reason: { held: 0.25, working: 0.15 } })
    expect(lab.place(sell(50_500, 0.1)).state).toBe('WORKING')
  })

  test('is denied in a strategy, which can sell what it bought: fees are paid in the quote currency', () => {
    const strategy = lab.runStrategy('momentum', { instrument: 'BTCUSDT' })
    const target = (lots: number) =>
      lab.run({ type: 'SubmitIntents', strategy, intents: [{ type: 'target', slot: 0, lots }] })
    target(1_000)
    target(-1_000)
    expect(lab.events.at(-1)).toMatchObject({
      type: 'OrderDenied',
      reason: { code: 'spot.short', held: 0.01 },
    })
    lab.wait(60_000)
    lab.quote({ bid: 50_000, ask: 50_001, size: 5 })
    target(0)
    expect(lab.state.positions.open.size).toBe(0)
  })

  test('is not denied for a perpetual', () => {
    lab.quote({ instrument: 'BTCUSDT-PERP', bid: 50_000, ask: 50_001 })
    expect(lab.place({ instrument: 'BTCUSDT-PERP', side: 'SELL' }).state).toBe('FILLED')
  })
})

describe('[RISK-48] a short spot position of an older version', () => {
  beforeEach(() => {
    // As its journal has it: the older version accepted the sells.
    const older = createLab({ opening, instruments: asSellable() })
    older.quote({ bid: 50_000, ask: 50_001, size: 5 })
    older.place({ side: 'SELL', quantity: 0.3 })
    older.place(sell(50_500, 0.1))
    const state = fold(createHardState(), older.entries.map(encodeEntry).map(decodeEntry))
    lab = createLab({ state, at: older.now })
    lab.quote({ bid: 50_000, ask: 50_001, size: 5 })
  })

  test('stays open and cannot be increased', () => {
    expect(held()).toEqual([-30_000])
    const denied = lab.place({ side: 'SELL', quantity: 0.1 })
    expect(sentence(denied)).toBe(
      'You are short 0.3 BTC, which can only be bought back; spot cannot be sold short.',
    )
    expect(denied.reason).toMatchObject({ code: 'spot.short', held: -0.3, working: 0.1 })
  })

  test('is reduced by a buy and closed by Close', () => {
    expect(lab.place({ quantity: 0.1 }).state).toBe('FILLED')
    expect(held()).toEqual([-20_000])
    lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(held()).toEqual([])
  })

  test('[RISK-49] is not increased by a sell that was working: it is cancelled when the market reaches it', () => {
    lab.quote({ bid: 50_600, ask: 50_601, size: 5 })
    const [, order] = [...lab.state.orders.finished.values()]
    expect(order).toMatchObject({ state: 'CANCELLED', filled: 0, reason: { code: 'cancel.nothing-to-sell' } })
    expect(order && sentence(order)).toBe(
      'Cancelled because nothing was left to sell; spot cannot be sold short.',
    )
    expect(held()).toEqual([-30_000])
  })
})

function held(): number[] {
  return [...lab.state.positions.open.values()].map(({ quantity }) => quantity)
}

/** The instruments as an older version treated them: spot could be sold short. */
function asSellable() {
  return createInstruments(standardInstruments().all.map((each) => ({ ...each, kind: 'PERPETUAL' })))
}

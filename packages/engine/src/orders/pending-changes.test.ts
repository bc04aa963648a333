import { beforeEach, expect, test } from 'vitest'
import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import { fold } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { describeReason } from '#model/describe.ts'
import type { Order } from '#model/order.ts'
import { createHardState } from '#state/hard-state.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { NO_MONEY } from '#values/money.ts'
import { priceFromTicks } from '#values/price.ts'
import { quantityFromLots } from '#values/quantity.ts'

/** A tenth of a second to the venue, none back. */
const latency = { outboundMs: () => 100, inboundMs: () => 0 }
const limits = { maxOrderSize: 5e4, maxPositionSize: 5e4, maxDailyLoss: 1e5, maxPositions: 10 }
const limit = (side: 'BUY' | 'SELL', at: number, size: number) =>
  ({ orderType: 'LIMIT', side, price: at, quantity: size }) as const
/** Can be sold short. */
const traded = 'BTCUSDT-PERP'

let lab: Lab
beforeEach(() => {
  lab = createLab({ latency, traded, opening: { cash: 1e6, limits } })
  lab.quote({ bid: 50_000, ask: 50_000.01, size: 10 })
})

test('[RISK-25] a second change waits for the first, so that risk counts all of them', () => {
  const order = lab.place(limit('BUY', 49_000, 0.01))
  lab.wait(100)
  const change = { type: 'ModifyOrder', orderId: order.id } as const
  expect(lab.run({ ...change, quantity: 0.99, price: 50_100 })).toMatchObject({ ok: true })
  const second = lab.run({ ...change, quantity: 0.02, price: 49_000 })
  expect(second).toMatchObject({ ok: false, reason: { code: 'order.changing' } })
  expect(!second.ok && describeReason(second.reason)).toBe(
    'The last change of order O-1 is not confirmed yet. Try again in a moment.',
  )
  expect(lab.place(limit('BUY', 50_100, 0.95))).toMatchObject({ reason: { code: 'limit.position-size' } })
  lab.wait(100)
  expect(held()).toEqual([99_000])
})

test('[RISK-25] a change that is confirmed or rejected lets the next one pass', () => {
  const stop = lab.place({ orderType: 'STOP', side: 'SELL', price: 45_000, quantity: 0.1 })
  lab.wait(100)
  const change = { type: 'ModifyOrder', orderId: stop.id } as const
  lab.run({ ...change, price: 49_990 })
  lab.quote({ bid: 49_900, ask: 49_900.01, size: 10 })
  lab.wait(100)
  expect(stop).toMatchObject({ price: 4_500_000, change: null })
  expect(lab.run({ ...change, price: 46_000 })).toMatchObject({ ok: true })
  lab.wait(100)
  expect(lab.run({ ...change, price: 47_000 })).toMatchObject({ ok: true })
})

test('[RISK-24] an order whose increase is on its way is cut too', () => {
  const order = anIncreaseOnItsWay()
  sellElsewhere(5_000)
  expect(order).toMatchObject({ quantity: 10_000, change: { quantity: 15_000 } })
  lab.wait(100)
  expect(order).toMatchObject({ quantity: 15_000, change: null })
})

test('[RISK-24] a cut behind another change is still on its way when that is confirmed, and after a restart', () => {
  const order = anIncreaseOnItsWay()
  sellElsewhere(5_000)
  confirm(order, 1, 20_000, 6_000_000)
  expect(order).toMatchObject({ quantity: 20_000, change: { quantity: 15_000 } })
  const state = decodeSnapshot(encodeSnapshot(lab.state))
  lab = createLab({ latency, traded, state, at: lab.now })
  lab.wait(100)
  expect(lab.order(order.id)).toMatchObject({ state: 'WORKING', quantity: 15_000, change: null })
})

test('[RISK-25] [RISK-35] a change that is confirmed with other numbers is over, and those count, after a restart too', () => {
  const order = lab.place(limit('BUY', 40_000, 0.01))
  lab.wait(100)
  const change = { type: 'ModifyOrder', orderId: order.id } as const
  lab.run({ ...change, quantity: 0.02, price: 45_000 })
  confirm(order, 1, 100_000, 4_900_000)
  expect(order).toMatchObject({ quantity: 100_000, price: 4_900_000, change: null })
  const state = fold(createHardState(), lab.entries.map(encodeEntry).map(decodeEntry))
  expect(state.orders.working.get(order.id)).toEqual(order)
  expect(lab.place(limit('BUY', 40_000, 0.03))).toMatchObject({
    reason: { code: 'limit.position-size', wouldBe: 50_200 },
  })
  expect(lab.run({ ...change, quantity: 0.05 })).toMatchObject({ ok: true })
})

test('[RISK-24] a cut is still on its way when a change before it is confirmed with other numbers', () => {
  const order = anIncreaseOnItsWay()
  sellElsewhere(5_000)
  confirm(order, 1, 18_000, 6_000_000)
  expect(order).toMatchObject({ quantity: 18_000, change: { quantity: 15_000 }, isCancelRequested: false })
  confirm(order, 2, 14_000, 6_000_000)
  expect(order).toMatchObject({ quantity: 14_000, change: null, isCancelRequested: false })
})

test('[RISK-201] a cut is still on its way when a change before it is rejected', () => {
  const order = anIncreaseOnItsWay()
  sellElsewhere(15_000)
  expect(order.change).toMatchObject({ quantity: 5_000 })
  const reason = { code: 'venue.refused', message: 'too late' } as const
  lab.receive({ type: 'changeRejected', orderId: order.id, change: 1, reason })
  expect(order).toMatchObject({ quantity: 10_000, change: { quantity: 5_000 }, isCancelRequested: false })
  expect(lab.run({ type: 'ModifyOrder', orderId: order.id, quantity: 0.02 })).toMatchObject({
    reason: { code: 'order.changing' },
  })
  confirm(order, 2, 5_000, 6_000_000)
  expect(order).toMatchObject({ quantity: 5_000, change: null })
  expect(lab.run({ type: 'ModifyOrder', orderId: order.id, quantity: 0.02 })).toMatchObject({ ok: true })
})

test('[RISK-202] an order whose cancel is requested takes nothing from a protective stop', () => {
  lab.place({ quantity: 0.2 })
  lab.wait(100)
  const sell = lab.place({ ...limit('SELL', 60_000, 0.1), reduceOnly: true })
  const stop = lab.place({
    ...limit('SELL', 45_000, 0.1),
    orderType: 'STOP',
    reduceOnly: true,
  })
  lab.wait(100)
  lab.run({ type: 'CancelOrder', orderId: sell.id })
  sellElsewhere(10_000)
  expect(stop).toMatchObject({ state: 'WORKING', isCancelRequested: false, change: null })
  lab.wait(100)
  expect(sell.state).toBe('CANCELLED')
  expect(stop).toMatchObject({ state: 'WORKING', quantity: 10_000 })
})

test('[RISK-24] an order that its venue cut to more than can be reduced is taken back', () => {
  const order = anIncreaseOnItsWay()
  lab.wait(100)
  sellElsewhere(5_000)
  confirm(order, 2, 15_001, 6_000_000)
  expect(order).toMatchObject({ quantity: 15_001, change: null, isCancelRequested: true })
  lab.wait(100)
  expect(order).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.nothing-to-reduce' } })
})

test('[RISK-25] an answer to an earlier change is not taken for one to the last, after a recovery either', () => {
  const order = lab.place(limit('BUY', 40_000, 0.01))
  lab.wait(100)
  const change = { type: 'ModifyOrder', orderId: order.id } as const
  lab.run({ ...change, quantity: 0.02 })
  lab.wait(100)
  lab.run({ ...change, quantity: 0.9 })
  lab = createLab({ latency, traded, state: decodeSnapshot(encodeSnapshot(lab.state)), at: lab.now })
  confirm(order, 1, 2_000, 4_000_000)
  expect(lab.order(order.id)).toMatchObject({ quantity: 2_000, change: { quantity: 90_000 } })
  lab.wait(100)
  expect(lab.order(order.id)).toMatchObject({ quantity: 90_000, change: null })
})

test('[RISK-25] [RISK-36] a change that is confirmed below what is filled came to nothing, and the next one may be asked', () => {
  const order = lab.place(limit('BUY', 40_000, 0.1))
  lab.wait(100)
  const change = { type: 'ModifyOrder', orderId: order.id } as const
  lab.run({ ...change, quantity: 0.05 })
  const fill = {
    fill: 1,
    quantity: quantityFromLots(6_000),
    price: priceFromTicks(4_000_000),
    liquidity: 'MAKER',
  } as const
  lab.receive({ type: 'filled', orderId: order.id, ...fill, fee: NO_MONEY })
  confirm(order, 1, 5_000, 4_000_000)
  expect(order).toMatchObject({ quantity: 10_000, filled: 6_000, change: null })
  expect(lab.events.at(-1)).toMatchObject({
    type: 'OrderChangeRejected',
    reason: { code: 'venue.refused', message: '6000 lots are filled' },
  })
  expect(lab.run({ ...change, quantity: 0.08 })).toMatchObject({ ok: true })
})

test('[RISK-24] a reduce-only order whose cut is confirmed below what is filled is taken back', () => {
  const order = anIncreaseOnItsWay()
  lab.wait(100)
  sellElsewhere(19_000)
  const fill = {
    fill: 1,
    quantity: quantityFromLots(1_000),
    price: priceFromTicks(6_000_000),
    liquidity: 'MAKER',
  } as const
  lab.receive({ type: 'filled', orderId: order.id, ...fill, fee: NO_MONEY })
  confirm(order, 2, 1_000, 6_000_000)
  expect(order).toMatchObject({ change: null, isCancelRequested: true })
})

/** Its venue answers a change with the size and price that an order has now. */
function confirm({ id: orderId }: Order, change: number, lots: number, ticks: number): void {
  const settled = { quantity: quantityFromLots(lots), price: priceFromTicks(ticks) }
  lab.receive({ type: 'changed', orderId, change, ...settled })
}

function held(): number[] {
  return [...lab.state.positions.open.values()].map((position) => position.quantity)
}

/** Of 0.2 held, 0.1 are offered reduce-only, and a change to 0.2 is under way. */
function anIncreaseOnItsWay(): Order {
  lab.place({ quantity: 0.2 })
  lab.wait(100)
  const order = lab.place({ ...limit('SELL', 60_000, 0.1), reduceOnly: true })
  lab.wait(100)
  lab.run({ type: 'ModifyOrder', orderId: order.id, quantity: 0.2 })
  return order
}

/** A venue may report a fill before a change that was sent earlier. */
function sellElsewhere(lots: number): void {
  const { id: orderId } = lab.place(limit('SELL', 60_000, lots / 100_000))
  const fill = {
    fill: 1,
    quantity: quantityFromLots(lots),
    price: priceFromTicks(6_000_000),
    liquidity: 'MAKER',
  } as const
  lab.receive({ type: 'filled', orderId, ...fill, fee: NO_MONEY })
}

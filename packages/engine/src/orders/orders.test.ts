import { beforeEach, describe, expect, test } from 'vitest'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { anOrder } from '#testkit/builders.ts'
import { createLab } from '#testkit/lab.ts'
import { createWealthyLab } from '#testkit/wealthy-lab.ts'
import { type IdempotencyKey, idFrom, type OrderId, type PositionId, seqFrom } from '#values/ids.ts'

let lab = createWealthyLab()
beforeEach(() => {
  lab = createWealthyLab()
})

const types = (action: () => void) => lab.watch(action).map(({ type }) => type)
const limitBuy = (price: number, quantity = 0.5) =>
  ({ orderType: 'LIMIT', side: 'BUY', price, quantity }) as const

describe('market orders', () => {
  test('one is submitted and filled at the ask, with the taker fee; the fill says that it was accepted', () => {
    const order = lab.place({ quantity: 0.1 })
    expect(order).toMatchObject({ state: 'FILLED', filled: 10_000, fills: 1, fees: 200_004_000 })
    expect(lab.events.map(({ type }) => type)).toEqual(['DeskOpened', 'OrderSubmitted', 'OrderFilled'])
    expect(lab.events.at(-1)).toMatchObject({
      price: 5_000_100,
      liquidity: 'TAKER',
      notional: 500_010_000_000,
    })
  })

  test('a large one walks the book and pays more for every level', () => {
    const order = lab.place({ quantity: 4 })
    const prices = lab.events.flatMap((event) => (event.type === 'OrderFilled' ? [event.price] : []))
    expect(order.state).toBe('FILLED')
    expect(prices.length).toBeGreaterThan(1)
    expect(prices).toEqual(prices.toSorted((one, other) => one - other))
    expect(prices[0]).toBe(5_000_100)
  })

  test('what the book does not hold is taken back, and the order is cancelled with what it got', () => {
    lab.run({
      type: 'ChangeLimits',
      limits: { maxOrderSize: 1e9, maxPositionSize: 1e9, maxDailyLoss: 1e9, maxPositions: 9 },
    })
    lab.quote({ instrument: 'BTCUSDT-PERP', bid: 50_000, ask: 50_001, size: 1 })
    const order = lab.place({ instrument: 'BTCUSDT-PERP', quantity: 100 })
    expect(order).toMatchObject({
      state: 'CANCELLED',
      reason: { code: 'cancel.remainder', timeInForce: 'IOC' },
    })
    expect(order.filled).toBeGreaterThan(0)
  })

  test('all or nothing takes nothing when there is not enough', () => {
    const order = lab.place({ ...limitBuy(50_001, 1.5), timeInForce: 'FOK' })
    expect(order).toMatchObject({ state: 'CANCELLED', filled: 0, reason: { timeInForce: 'FOK' } })
    expect(lab.place({ ...limitBuy(50_001, 1), timeInForce: 'FOK' }).state).toBe('FILLED')
  })
})

describe('limit orders', () => {
  test('one below the market works until the market comes to it, and pays the maker fee', () => {
    const order = lab.place(limitBuy(49_990))
    expect(order).toMatchObject({ state: 'WORKING', filled: 0 })
    lab.quote({ bid: 49_985, ask: 49_989 })
    expect(order.state).toBe('FILLED')
    expect(lab.events.at(-1)).toMatchObject({ price: 4_999_000, liquidity: 'MAKER', fee: 499_900_000 })
  })

  test('one that crosses trades at once at the better price and rests with what is left', () => {
    const order = lab.place(limitBuy(50_001, 1.5))
    expect(order).toMatchObject({ state: 'PARTLY_FILLED', filled: 100_000 })
    expect(lab.events.at(-1)).toMatchObject({ price: 5_000_100, liquidity: 'TAKER' })
    lab.quote({ bid: 50_002, ask: 50_003 })
    expect(order.state).toBe('PARTLY_FILLED')
    lab.quote({ bid: 49_999, ask: 50_000 })
    expect(order.state).toBe('FILLED')
  })

  test('one that may only trade at once leaves nothing behind', () => {
    const order = lab.place({ ...limitBuy(50_001, 1.5), timeInForce: 'IOC' })
    expect(order).toMatchObject({ state: 'CANCELLED', filled: 100_000, reason: { timeInForce: 'IOC' } })
  })

  test('it fills in its turn: those who came before at the same price go first', () => {
    const order = lab.place(limitBuy(50_000, 0.5))
    lab.trade({ price: 50_000, size: 1, aggressor: 'SELL' })
    expect(order.filled).toBe(0)
    lab.trade({ price: 50_000, size: 0.2, aggressor: 'SELL' })
    expect(order).toMatchObject({ state: 'PARTLY_FILLED', filled: 20_000 })
  })
})

describe('cancelling', () => {
  test('[CALL-15] a working order is cancelled when the venue confirms', () => {
    const order = lab.place(limitBuy(49_000))
    expect(types(() => lab.run({ type: 'CancelOrder', orderId: order.id }))).toEqual([
      'OrderCancelRequested',
      'OrderCancelled',
    ])
    expect(order).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.asked' } })
    lab.quote({ bid: 48_000, ask: 48_001 })
    expect(order.filled).toBe(0)
  })

  test('an order that is finished or unknown cannot be cancelled', () => {
    const filled = lab.place({ quantity: 0.1 })
    expect(lab.run({ type: 'CancelOrder', orderId: filled.id })).toEqual({
      ok: false,
      reason: { code: 'order.finished', order: 'O-1', state: 'FILLED' },
    })
    expect(lab.run({ type: 'CancelOrder', orderId: idFrom<OrderId>('O-99') })).toMatchObject({
      reason: { code: 'order.unknown', order: 'O-99' },
    })
  })
})

describe('modifying', () => {
  test('new terms hold when the venue confirms them', () => {
    const order = lab.place(limitBuy(49_000))
    expect(
      types(() => lab.run({ type: 'ModifyOrder', orderId: order.id, price: 49_500, quantity: 0.7 })),
    ).toEqual(['OrderChangeRequested', 'OrderChanged'])
    expect(order).toMatchObject({ price: 4_950_000, quantity: 70_000, change: null })
    lab.quote({ bid: 49_400, ask: 49_401 })
    expect(order).toMatchObject({ state: 'FILLED', filled: 70_000 })
  })

  test('a smaller quantity keeps its place in the queue, a new price goes to the end', () => {
    const first = lab.place(limitBuy(49_999.9, 0.5))
    const second = lab.place(limitBuy(49_999.9, 0.5))
    lab.run({ type: 'ModifyOrder', orderId: first.id, quantity: 0.3 })
    lab.trade({ price: 49_999.9, size: 1.1 })
    expect([first.filled, second.filled]).toEqual([10_000, 0])
    lab.run({ type: 'ModifyOrder', orderId: first.id, quantity: 0.5 })
    lab.trade({ price: 49_999.9, size: 0.1 })
    expect([first.filled, second.filled]).toEqual([10_000, 10_000])
  })

  test('a change to what is filled already, to the same terms or to nonsense is refused', () => {
    const order = lab.place(limitBuy(50_001, 1.5))
    const modify = (change: object) => lab.run({ type: 'ModifyOrder', orderId: order.id, ...change })
    expect(modify({ quantity: 1 })).toMatchObject({ reason: { code: 'quantity.below-filled', filled: '1' } })
    expect(modify({ quantity: 1.5 })).toMatchObject({ reason: { code: 'order.unchanged' } })
    expect(modify({ price: 50_000.001 })).toMatchObject({ reason: { code: 'price.off-tick' } })
  })

  test('a change that risk denies is refused with the limit, and the order stays as it was', () => {
    const order = lab.place(limitBuy(49_000))
    expect(lab.run({ type: 'ModifyOrder', orderId: order.id, quantity: 25 })).toMatchObject({
      ok: false,
      reason: { code: 'limit.order-size', value: 1_225_000, limit: 1_000_000 },
    })
    expect(order.quantity).toBe(50_000)
  })
})

describe('idempotency keys', () => {
  const key = idFrom<IdempotencyKey>('first-try')

  test('the same key twice is one order, answered as the first time', () => {
    const first = lab.run(anOrder({ key }))
    const events = lab.events.length
    expect(lab.run(anOrder({ key }))).toEqual({ ok: true, orderId: 'O-1', repeats: 2 })
    expect(first).toMatchObject({ ok: true, orderId: 'O-1', repeats: null })
    expect(lab.events).toHaveLength(events)
  })

  test('the same key for anything else is refused, and does nothing', () => {
    lab.run(anOrder({ key }))
    const used = { ok: false, reason: { code: 'key.used', by: 'O-1' } }
    const events = lab.events.length
    for (const other of [{ quantity: 9 }, { side: 'SELL' }, { orderType: 'LIMIT', price: 49_000 }] as const) {
      expect(lab.run(anOrder({ key, ...other }))).toEqual(used)
    }
    const positionId = idFrom<PositionId>('P-1')
    expect(lab.run({ type: 'ClosePosition', positionId, key })).toEqual(used)
    expect(lab.events).toHaveLength(events)
    expect(lab.state.positions.open.size).toBe(1)
  })

  test('the same key with and without reduce-only is not the same order', () => {
    lab.place({ quantity: 0.5 })
    const sell = anOrder({ side: 'SELL', quantity: 0.1, reduceOnly: true, key })
    expect(lab.run(sell)).toMatchObject({ ok: true, orderId: 'O-2', repeats: null })
    expect(lab.run({ ...sell, reduceOnly: false })).toEqual({
      ok: false,
      reason: { code: 'key.used', by: 'O-2' },
    })
    expect(lab.run(sell)).toMatchObject({ orderId: 'O-2', repeats: 4 })
  })

  test('[RISK-22] an order that was made reduce-only is repeated as it was asked for, after a restart too', () => {
    lab.place({ quantity: 0.5 })
    const limits = { maxOrderSize: 1, maxPositionSize: 1e6, maxDailyLoss: 1e6, maxPositions: 10 }
    lab.run({ type: 'ChangeLimits', limits })
    const sell = anOrder({ side: 'SELL', quantity: 0.1, key })
    const first = lab.run(sell)
    expect(first).toMatchObject({ ok: true, orderId: 'O-2' })
    expect(lab.order(idFrom<OrderId>('O-2')).terms.reduceOnly).toBe(true)
    const state = decodeSnapshot(encodeSnapshot(lab.state))
    for (const desk of [lab, createLab({ state, at: lab.now })]) {
      expect(desk.run(sell)).toMatchObject({ ok: true, orderId: 'O-2' })
      expect(desk.run({ ...sell, reduceOnly: true })).toMatchObject({ reason: { code: 'key.used' } })
    }
  })

  test('[ORD-36] a key that hard state no longer has is recognised by the order the desk found', () => {
    const first = lab.place({ quantity: 0.1 })
    const orderOfKey = { orderId: idFrom<OrderId>('O-1'), seq: seqFrom(2), terms: first.terms }
    expect(lab.run(anOrder({ quantity: 0.1, key, orderOfKey }))).toEqual({
      ok: true,
      orderId: 'O-1',
      repeats: 2,
    })
    const used = { ok: false, reason: { code: 'key.used', by: 'O-1' } }
    expect(lab.run(anOrder({ quantity: 0.2, key, orderOfKey }))).toEqual(used)
  })

  test('[ORD-37] a UUIDv7 that no order has is refused when it is more than 24 hours old', () => {
    const DAY_MS = 86_400_000
    const created = (ageMs: number) => {
      const time = (lab.now - ageMs).toString(16).padStart(12, '0')
      return idFrom<IdempotencyKey>(`${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`)
    }
    const tooOld = { ok: false, reason: { code: 'key.too-old', hours: 25, maxHours: 24 } }
    expect(lab.run(anOrder({ key: created(DAY_MS + 3_600_000) }))).toEqual(tooOld)
    const positionId = idFrom<PositionId>('P-1')
    expect(lab.run({ type: 'ClosePosition', positionId, key: created(DAY_MS + 3_600_000) })).toEqual(tooOld)
    expect(lab.state.orders.nextNumber).toBe(1)
    expect(lab.run(anOrder({ key: created(DAY_MS) }))).toMatchObject({ ok: true, orderId: 'O-1' })
    expect(lab.run(anOrder({ key: created(-DAY_MS) }))).toMatchObject({ ok: true, orderId: 'O-2' })
  })

  test('a denied order is remembered as well', () => {
    const denied = lab.place({ quantity: 100, key })
    expect(denied).toMatchObject({ state: 'DENIED', reason: { code: 'limit.order-size' } })
    expect(lab.run(anOrder({ quantity: 100, key }))).toMatchObject({ orderId: denied.id })
  })
})

describe('reports that make no sense', () => {
  test('what a venue says of a finished or unknown order is noted and changes nothing', () => {
    const order = lab.place({ quantity: 0.1 })
    const before = JSON.stringify(order, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    const report = { type: 'cancelled', cause: { code: 'cancel.asked' } } as const
    const seen = lab.watch(() => {
      lab.receive({ ...report, orderId: order.id })
      lab.receive({ ...report, orderId: idFrom<OrderId>('O-77') })
    })
    expect(seen).toEqual([
      { type: 'ReportDisregarded', orderId: 'O-1', report: 'cancelled', why: 'the order is FILLED' },
      { type: 'ReportDisregarded', orderId: 'O-77', report: 'cancelled', why: 'there is no such order' },
    ])
    expect(JSON.stringify(order, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).toBe(before)
  })

  test('a repeated fill counts once, and one above the remaining quantity is ignored', () => {
    const order = lab.place(limitBuy(50_001, 1.5))
    const again = lab.events.findLast((event) => event.type === 'OrderFilled')
    if (again?.type !== 'OrderFilled') throw new Error('no fill')
    const report = { ...again, type: 'filled' } as const
    expect(lab.watch(() => lab.receive(report))).toEqual([])
    const tooMuch = lab.watch(() => lab.receive({ ...report, fill: 2 }))
    expect(tooMuch).toMatchObject([{ type: 'ReportDisregarded', why: 'it is more than is left' }])
    expect(order.filled).toBe(100_000)
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { describeReason } from '#model/describe.ts'
import type { Order } from '#model/order.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { type IdempotencyKey, idFrom, type PositionId, type StrategyId } from '#values/ids.ts'

/** Can be sold short. */
const traded = 'BTCUSDT-PERP'

let lab: Lab
beforeEach(() => {
  lab = createLab({ traded })
  lab.quote({ bid: 50_000, ask: 50_000.01, size: 10 })
  lab.quote({ instrument: 'ETHUSDT', bid: 3_000, ask: 3_000.01, size: 100 })
})

const limit = (side: 'BUY' | 'SELL', price: number, quantity: number) =>
  ({ orderType: 'LIMIT', side, price, quantity }) as const
const sentence = ({ reason }: Order) => reason && describeReason(reason)
const state = (order: Order) => order.state

describe('max_order_size', () => {
  test('an order worth exactly 10,000 passes, one tick more is denied with both numbers', () => {
    expect(lab.place(limit('BUY', 50_000, 0.2)).state).not.toBe('DENIED')
    const denied = lab.place(limit('BUY', 50_000.05, 0.2))
    expect(denied).toMatchObject({
      state: 'DENIED',
      reason: { code: 'limit.order-size', value: 10_000.01, limit: 10_000 },
    })
    expect(sentence(denied)).toBe('The order is worth 10,000.01; Max Order Size is 10,000.00.')
  })

  test('a market order is worth its quantity at the ask', () => {
    expect(lab.place({ quantity: 0.2 })).toMatchObject({ state: 'DENIED', reason: { value: 10_000.002 } })
    expect(lab.place({ quantity: 0.19999 }).state).toBe('FILLED')
  })

  test('a sell below the market is worth what the market pays', () => {
    expect(lab.place(limit('SELL', 48_000, 0.21))).toMatchObject({
      state: 'DENIED',
      reason: { value: 10_500 },
    })
  })
})

describe('price collar', () => {
  const within = { maxOrderSize: 1e9, maxPositionSize: 1e9, maxDailyLoss: 5e3, maxPositions: 9 }

  test('[RISK-45] a buy limit more than 5 % above the mark is denied with the numbers', () => {
    lab.run({ type: 'ChangeLimits', limits: within })
    const denied = lab.place(limit('BUY', 1_000_000, 0.01))
    expect(denied).toMatchObject({
      state: 'DENIED',
      reason: { code: 'price.collar', side: 'BUY', price: 1_000_000, mark: 50_000, bound: 52_500 },
    })
    expect(sentence(denied)).toBe(
      'The buy limit 1,000,000.00 is too far above the market (50,000.00); at most 52,500.00 is accepted.',
    )
    expect(lab.place(limit('BUY', 52_500, 0.01)).state).toBe('FILLED')
  })

  test('[RISK-45] a sell limit more than 5 % below the mark is denied, one at the bound is not', () => {
    lab.place({ quantity: 0.1 })
    expect(lab.place(limit('SELL', 47_000, 0.01))).toMatchObject({
      state: 'DENIED',
      reason: { code: 'price.collar', side: 'SELL', price: 47_000 },
    })
    expect(lab.place(limit('SELL', 47_501, 0.01)).state).toBe('FILLED')
  })

  test('[RISK-45] a limit that rests far from the market is accepted', () => {
    expect(lab.place(limit('BUY', 1_000, 0.01)).state).toBe('WORKING')
    expect(lab.place(limit('SELL', 90_000, 0.01)).state).toBe('WORKING')
  })

  test('[RISK-45] a working order cannot be changed to a price beyond the collar', () => {
    const order = lab.place(limit('BUY', 49_000, 0.01))
    expect(lab.run({ type: 'ModifyOrder', orderId: order.id, price: 60_000 })).toMatchObject({
      ok: false,
      reason: { code: 'price.collar' },
    })
  })
})

describe('max_position_size', () => {
  test('positions and working orders count together, and the numbers say so', () => {
    for (let count = 0; count < 4; count++) lab.place(limit('BUY', 49_000, 0.2))
    lab.place({ quantity: 0.19 })
    const denied = lab.place(limit('BUY', 49_000, 0.05))
    expect(denied).toMatchObject({
      state: 'DENIED',
      reason: { code: 'limit.position-size', exposure: 9_500.00095, wouldBe: 51_150.00095, limit: 50_000 },
    })
    expect(sentence(denied)).toBe(
      'Exposure would be 51,150.00, working orders included (now 9,500.00); Max Position Size is 50,000.00.',
    )
  })

  test('a cancelled order frees its part of the limit', () => {
    const orders = Array.from({ length: 5 }, () => lab.place(limit('BUY', 49_000, 0.2)))
    expect(lab.place(limit('BUY', 49_000, 0.1)).state).toBe('DENIED')
    const [first] = orders
    if (first) lab.run({ type: 'CancelOrder', orderId: first.id })
    expect(lab.place(limit('BUY', 49_000, 0.1)).state).toBe('WORKING')
  })

  test('buys and sells of one book do not add up: only the worse side counts', () => {
    for (let count = 0; count < 5; count++) {
      lab.place(limit('BUY', 49_000, 0.2))
      expect(lab.place(limit('SELL', 51_000, 0.19)).state).toBe('WORKING')
    }
    expect(lab.place(limit('SELL', 51_000, 0.19)).state).toBe('DENIED')
  })

  test('an increase by change is checked like an order', () => {
    const orders = Array.from({ length: 5 }, () => lab.place(limit('BUY', 40_000, 0.2)))
    const [first] = orders
    const change = { type: 'ModifyOrder', orderId: first?.id ?? ('' as never) } as const
    expect(lab.run({ ...change, quantity: 0.25 })).toMatchObject({ ok: true })
    expect(lab.run({ ...change, price: 40_100 })).toMatchObject({ reason: { code: 'limit.order-size' } })
  })
})

describe('max_positions', () => {
  test('the position that would be one too many is denied, working orders counted in', () => {
    lab.run({
      type: 'ChangeLimits',
      limits: { maxOrderSize: 1e4, maxPositionSize: 5e4, maxDailyLoss: 5e3, maxPositions: 2 },
    })
    lab.place({ quantity: 0.01 })
    lab.place({ ...limit('BUY', 2_900, 1), instrument: 'ETHUSDT' })
    const denied = lab.place({ quantity: 0.01, strategy: idFrom<StrategyId>('other') })
    expect(denied).toMatchObject({
      state: 'DENIED',
      reason: { code: 'limit.positions', wouldBe: 3, limit: 2 },
    })
    expect(lab.place({ quantity: 0.01 }).state).toBe('FILLED')
  })

  test('an order that no longer works leaves its place to another', () => {
    const one = { maxOrderSize: 1e4, maxPositionSize: 5e4, maxDailyLoss: 5e3, maxPositions: 1 }
    lab.run({ type: 'ChangeLimits', limits: one })
    const first = lab.place({ ...limit('BUY', 2_900, 1), instrument: 'ETHUSDT' })
    expect(lab.place(limit('BUY', 49_000, 0.1)).state).toBe('DENIED')
    lab.run({ type: 'CancelOrder', orderId: first.id })
    expect(lab.place(limit('BUY', 49_000, 0.1)).state).toBe('WORKING')
  })
})

describe('margin', () => {
  test('spot needs its whole value, a perpetual a tenth', () => {
    lab = createLab({ opening: { cash: 1_000 } })
    lab.quote({ bid: 50_000, ask: 50_001 })
    lab.quote({ instrument: 'BTCUSDT-PERP', bid: 50_000, ask: 50_001 })
    expect(lab.place({ quantity: 0.1 })).toMatchObject({
      state: 'DENIED',
      reason: { code: 'margin.insufficient', required: 5_000.1, equity: 1_000 },
    })
    expect(lab.place({ instrument: 'BTCUSDT-PERP', quantity: 0.1 }).state).toBe('FILLED')
  })
})

describe('reducing', () => {
  beforeEach(() => {
    lab.place({ quantity: 0.19 })
    lab.run({
      type: 'ChangeLimits',
      limits: { maxOrderSize: 0, maxPositionSize: 0, maxDailyLoss: 0, maxPositions: 0 },
    })
  })

  test('an order that only reduces passes whatever the limits say', () => {
    expect(lab.place({ side: 'SELL', quantity: 0.1 }).state).toBe('FILLED')
  })

  test('working orders are counted first: two halves and a bit more would add', () => {
    expect(state(lab.place(limit('SELL', 51_000, 0.1)))).toBe('WORKING')
    expect(state(lab.place(limit('SELL', 51_000, 0.09)))).toBe('WORKING')
    expect(state(lab.place(limit('SELL', 51_000, 0.001)))).toBe('DENIED')
  })

  test('a reduce-only order that would add is denied with what is held and what works', () => {
    lab.place(limit('SELL', 51_000, 0.1))
    const denied = lab.place({ ...limit('SELL', 51_000, 0.1), reduceOnly: true })
    expect(denied).toMatchObject({
      state: 'DENIED',
      reason: { code: 'reduce-only.adds', quantity: 0.1, position: 0.19, working: 0.1 },
    })
    expect(sentence(denied)).toBe(
      'Reduce-only order for 0.1 exceeds the 0.09 left to reduce; working orders already reduce 0.1.',
    )
    expect(lab.place({ quantity: 0.1, reduceOnly: true })).toMatchObject({ reason: { position: 0 } })
  })

  test('closing is a rule of its own that no limit can stop', () => {
    lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(lab.state.positions.open.size).toBe(0)
  })

  test('reduce-only orders are taken back when there is nothing left to reduce', () => {
    tradeAgain()
    const target = lab.place({ ...limit('SELL', 60_000, 0.19), reduceOnly: true })
    lab.place({ side: 'SELL', quantity: 0.19 })
    expect(target).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.nothing-to-reduce' } })
  })

  test('[RISK-24] reduce-only orders are cut, oldest first, to what is left to reduce', () => {
    tradeAgain()
    const older = lab.place({ ...limit('SELL', 60_000, 0.1), reduceOnly: true })
    const newer = lab.place({ ...limit('SELL', 60_000, 0.09), reduceOnly: true })
    lab.place({ side: 'SELL', quantity: 0.04 })
    expect([older, newer]).toMatchObject([
      { state: 'WORKING', quantity: 10_000, change: null },
      { state: 'WORKING', quantity: 5_000, change: null },
    ])
    lab.place({ side: 'SELL', quantity: 0.05 })
    expect([older, newer]).toMatchObject([
      { state: 'WORKING', quantity: 10_000 },
      { state: 'CANCELLED', reason: { code: 'cancel.nothing-to-reduce' } },
    ])
    lab.quote({ bid: 60_000, ask: 60_000.01, size: 10 })
    expect(lab.state.positions.open.size).toBe(0)
  })
})

test('[RISK-24] one that its venue does not let be cut is taken back', () => {
  lab = createLab({ traded, latency: { outboundMs: () => 100, inboundMs: () => 0 } })
  lab.quote({ bid: 50_000, ask: 50_000.01, size: 10 })
  lab.place({ quantity: 0.1 })
  lab.wait(100)
  const stop = lab.place({ orderType: 'STOP', side: 'SELL', price: 45_000, quantity: 0.1, reduceOnly: true })
  lab.place({ side: 'SELL', quantity: 0.06 })
  lab.wait(100)
  expect(stop).toMatchObject({ state: 'WORKING', quantity: 10_000, change: { quantity: 4_000 } })
  const reason = { code: 'venue.refused', message: 'no' } as const
  lab.receive({ type: 'changeRejected', orderId: stop.id, change: 1, reason })
  expect(stop).toMatchObject({ change: null, isCancelRequested: true })
})

describe('an order above max_order_size that passes because it reduces', () => {
  const protect = { orderType: 'STOP', side: 'SELL', price: 45_000, quantity: 0.3 } as const
  beforeEach(() => {
    lab.place({ quantity: 0.15 })
    lab.place({ quantity: 0.15 })
  })

  test('[RISK-22] is reduce-only from then on, and gone when what it reduces is sold otherwise', () => {
    const stop = lab.place(protect)
    expect(stop).toMatchObject({ state: 'WORKING', quantity: 30_000, terms: { reduceOnly: true } })
    lab.place({ side: 'SELL', quantity: 0.15 })
    expect(stop).toMatchObject({ state: 'WORKING', quantity: 15_000 })
    lab.place({ side: 'SELL', quantity: 0.05 })
    expect(stop).toMatchObject({ state: 'WORKING', quantity: 10_000 })
    lab.place({ side: 'SELL', quantity: 0.1 })
    expect(stop).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.nothing-to-reduce' } })
    lab.quote({ bid: 44_000, ask: 44_000.01, size: 10 })
    expect(lab.state.positions.open.size).toBe(0)
  })

  test('is the same order when its key is sent again', () => {
    const key = idFrom<IdempotencyKey>('stop')
    const first = lab.place({ ...protect, key })
    expect(lab.place({ ...protect, key }).id).toBe(first.id)
  })

  test('[RISK-34] cannot come of a change: only what is reduce-only may be as large', () => {
    const small = lab.place({ ...protect, quantity: 0.1 })
    expect(small.terms.reduceOnly).toBe(false)
    const answer = lab.run({ type: 'ModifyOrder', orderId: small.id, quantity: 0.3 })
    expect(answer).toMatchObject({ ok: false, reason: { code: 'limit.order-size', limit: 10_000 } })
    lab.run({ type: 'CancelOrder', orderId: small.id })
    const large = lab.place(protect)
    expect(lab.run({ type: 'ModifyOrder', orderId: large.id, price: 46_000 })).toMatchObject({ ok: true })
  })

  test('[RISK-34] counts the filled part of an order that is changed', () => {
    lab.quote({ bid: 48_999, ask: 49_001, size: 10 })
    const order = lab.place(limit('BUY', 49_000, 0.2))
    lab.trade({ price: 49_000, size: 0.1, aggressor: 'SELL' })
    expect(order).toMatchObject({ state: 'PARTLY_FILLED', filled: 10_000 })
    expect(lab.run({ type: 'ModifyOrder', orderId: order.id, quantity: 0.3 })).toMatchObject({
      reason: { code: 'limit.order-size', value: 14_700, limit: 10_000 },
    })
  })
})

describe('the market', () => {
  test('a market order without a market is denied, with a stale one too', () => {
    expect(lab.place({ instrument: 'SOLUSDT', quantity: 1 })).toMatchObject({
      state: 'DENIED',
      reason: { code: 'market.none', instrument: 'SOLUSDT' },
    })
    lab.wait(60_001)
    const stale = lab.place({ quantity: 0.01 })
    expect(stale).toMatchObject({ reason: { code: 'market.stale', ageMs: 60_001, maxAgeMs: 60_000 } })
    expect(sentence(stale)).toBe('The last quote of BTCUSDT-PERP is 60.0 s old; at most 60.0 s are allowed.')
    expect(lab.place(limit('BUY', 40_000, 0.01)).state).toBe('WORKING')
  })
})

describe('limits', () => {
  test.each([
    [
      { code: 'limit.daily-loss', loss: 5_100, limit: 5_000 },
      "Today's loss is 5,100.00; Max Daily Loss is 5,000.00.",
    ],
    [
      { code: 'limit.positions', wouldBe: 11, limit: 10 },
      'There would be 11 positions; Max Positions is 10.',
    ],
    [
      { code: 'limit.invalid', limit: 'maxDailyLoss', given: '-1', requirement: 'zero or more' },
      "Max Daily Loss cannot be '-1'; it must be zero or more.",
    ],
  ] as const)('[RISK-23] %o is said in the words of the risk screen', (reason, said) => {
    expect(describeReason(reason)).toBe(said)
  })

  test('[RISK-23] what holds orders back names the screen and the button that let them through', () => {
    expect(describeReason({ code: 'trading.halted' })).toBe(
      'Trading is halted. To accept orders again, use Resume Trading or Reduce Only on the Risk Management screen.',
    )
    expect(describeReason({ code: 'trading.reducing' })).toBe(
      'Reduce-only: orders that open or add are blocked. To accept them again, use Resume Trading on the Risk Management screen.',
    )
    expect(describeReason({ code: 'component.down', component: 'ExecutionEngine', status: 'stopped' })).toBe(
      'ExecutionEngine is stopped, and this order needs it. Restart it on the Components screen.',
    )
  })
})

/** Limits that deny nothing, and ACTIVE trading. */
function tradeAgain(): void {
  lab.run({
    type: 'ChangeLimits',
    limits: { maxOrderSize: 1e4, maxPositionSize: 5e4, maxDailyLoss: 5e3, maxPositions: 9 },
  })
  lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })
}

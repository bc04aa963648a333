import { beforeEach, describe, expect, test } from 'vitest'
import { createHardState } from '#state/hard-state.ts'
import { createPositionRegister } from '#state/position-register.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import {
  type InstrumentId,
  idFrom,
  type OrderId,
  type PositionId,
  type StrategyId,
  seqFrom,
} from '#values/ids.ts'
import { instantFromMs } from '#values/instant.ts'
import { NO_MONEY } from '#values/money.ts'
import { viewClosedBy } from './position-view.ts'
import { createViews, type UpdatableViews } from './views.ts'

let lab: Lab
let views: UpdatableViews

beforeEach(() => {
  lab = createLab()
  views = createViews(lab.instruments, createHardState())
  lab.quote({ bid: 50_000, ask: 50_001 })
})

function show(): UpdatableViews {
  for (const entry of lab.entries.slice(views.seq)) views.apply(entry)
  views.refresh(lab.engine.computeLiveFigures())
  return views
}

describe('orders', () => {
  test('[CALL-14] a working order is PENDING even when partly filled, and shows how far it is', () => {
    lab.quote({ bid: 50_000, ask: 50_001, size: 0.05 })
    lab.place({ orderType: 'LIMIT', price: 50_001, quantity: 0.15 })
    expect(show().orders()).toMatchObject([
      {
        id: 'O-1',
        instrument: 'BTCUSDT',
        side: 'BUY',
        type: 'LIMIT',
        quantity: 0.15,
        price: 50_001,
        filled: 0.05,
        averagePrice: 50_001,
        status: 'PENDING',
        reason: null,
      },
    ])
  })

  test('denied and cancelled orders carry code, numbers and sentence', () => {
    lab.place({ quantity: 1 })
    const { id } = lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.1 })
    lab.run({ type: 'CancelOrder', orderId: id })
    expect(show().orders()).toMatchObject([
      { id: 'O-2', status: 'CANCELLED', reason: { code: 'cancel.asked', sentence: 'Cancelled on request.' } },
      {
        id: 'O-1',
        status: 'REJECTED',
        reason: {
          code: 'limit.order-size',
          value: 50_001,
          limit: 10_000,
          sentence: 'The order is worth 50,001.00; Max Order Size is 10,000.00.',
        },
      },
    ])
  })

  test('all working orders and the latest 500 finished ones are listed, newest first', () => {
    const working = lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.001 })
    for (let count = 0; count < 600; count++) lab.place({ quantity: 1 })
    const listed = show().orders()
    expect(listed).toHaveLength(501)
    expect(listed[0]?.id).toBe('O-601')
    expect(listed.at(-1)?.id).toBe(working.id)
    expect(views.order(idFrom<OrderId>('O-601'))?.status).toBe('REJECTED')
    expect(views.order(idFrom<OrderId>('O-9999'))).toBeNull()
  })

  test('memory is bounded: of finished orders 1,000 are kept', () => {
    for (let count = 0; count < 1_100; count++) lab.place({ quantity: 1 })
    expect(show().state.orders.finished.size).toBe(1_000)
    expect(lab.state.orders.finished.size).toBe(1_000)
  })
})

describe('positions', () => {
  test('[CALL-16] a position shows side, entry, current price and both results', () => {
    lab.place({ quantity: 0.1 })
    lab.quote({ instrument: 'BTCUSDT-PERP', bid: 50_000, ask: 50_001 })
    lab.place({ instrument: 'BTCUSDT-PERP', side: 'SELL', quantity: 0.2, strategy: idFrom<StrategyId>('s') })
    lab.quote({ bid: 51_000, ask: 51_002 })
    lab.quote({ instrument: 'BTCUSDT-PERP', bid: 51_000, ask: 51_002 })
    const [long, short] = show().positions()
    expect(long).toMatchObject({
      id: 'P-1',
      instrument: 'BTCUSDT',
      side: 'LONG',
      quantity: 0.1,
      entryPrice: 50_001,
    })
    expect(long).toMatchObject({ currentPrice: 51_001, realised: 0, fees: 2.00004 })
    expect(long?.unrealised).toBeCloseTo(100, 8)
    expect(short).toMatchObject({ side: 'SHORT', quantity: 0.2, entryPrice: 50_000 })
    expect(short?.unrealised).toBeCloseTo(-200.2, 8)
  })
})

describe('account and risk', () => {
  test('[CALL-17] exposure, margin, drawdown, value at risk and position count', () => {
    lab.place({ quantity: 0.1 })
    lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.1 })
    const risk = show().risk()
    expect(risk).toMatchObject({
      totalExposure: 5_000.05,
      marginUsed: 9_000.05,
      positionCount: 1,
      valueAtRisk: null,
    })
    expect(risk.marginAvailable).toBeCloseTo(100_000 - 2.00004 - 0.05 - 9_000.05, 6)
    expect(risk.limits).toEqual({
      maxOrderSize: 10_000,
      maxPositionSize: 50_000,
      maxDailyLoss: 5_000,
      maxPositions: 10,
    })
    expect(risk.tradingState).toBe('ACTIVE')
  })

  test('[RISK-102] the drawdown of now and the deepest are shown in percent; the deepest never falls', () => {
    lab.place({ quantity: 0.1 })
    lab.quote({ bid: 30_000, ask: 30_001 })
    expect(show().risk().maxDrawdown).toBeCloseTo(2.0, 1)
    expect(show().risk().drawdown).toBe(show().risk().maxDrawdown)
    lab.quote({ bid: 49_000, ask: 49_001 })
    expect(show().risk().drawdown).toBeLessThan(0.2)
    expect(show().risk().maxDrawdown).toBeCloseTo(2.0, 1)
    lab.quote({ bid: 60_000, ask: 60_001 })
    expect(show().risk().drawdown).toBe(0)
    lab.quote({ bid: 50_000, ask: 50_001 })
    expect(show().risk().drawdown).toBeCloseTo(1.0, 1)
  })

  test('the exact account adds up', () => {
    lab.place({ quantity: 0.1 })
    lab.place({ side: 'SELL', quantity: 0.04 })
    const { exact, equity, cash } = show().account()
    expect(exact).toEqual({
      deposited: '100000',
      cash: '96997.09996',
      cost: '3000.06',
      realised: '-0.04',
      fees: '2.80004',
      funding: '0',
    })
    expect(equity).toBeCloseTo(cash + 3_000.03, 6)
  })

  test('a strategy has its trades and its win rate', () => {
    lab.place({ quantity: 0.1 })
    lab.quote({ bid: 51_000, ask: 51_001 })
    lab.place({ side: 'SELL', quantity: 0.1 })
    lab.place({ quantity: 0.1 })
    lab.quote({ bid: 50_000, ask: 50_001 })
    lab.place({ side: 'SELL', quantity: 0.1 })
    expect(show().account().strategies).toMatchObject([{ strategy: 'MANUAL', trades: 2, winRate: 0.5 }])
  })
})

describe('the machine', () => {
  test('components and venues as they are', () => {
    expect(show().engine()).toMatchObject({
      isRunning: true,
      components: [
        { name: 'DataEngine', type: 'Engine', status: 'running' },
        { name: 'ExecutionEngine', type: 'Engine' },
        { name: 'RiskEngine', type: 'Engine' },
        { name: 'Portfolio', type: 'Component' },
        { name: 'Cache', type: 'Component' },
        { name: 'MessageBus', type: 'Component' },
      ],
      venues: [
        { id: 'BINANCE', isConnected: true },
        { id: 'BYBIT', isConnected: true },
        { id: 'OKX', isConnected: true },
        { id: 'COINBASE', isConnected: false },
        { id: 'INTERACTIVE_BROKERS', isConnected: false },
      ],
    })
    lab.run({ type: 'StopComponent', component: 'ExecutionEngine' })
    expect(show().engine().isRunning).toBe(false)
  })
})

describe('[STRAT-38] the denials of a strategy', () => {
  const limits = (maxPositionSize: number) =>
    lab.run({
      type: 'ChangeLimits',
      limits: { maxOrderSize: 1e4, maxPositionSize, maxDailyLoss: 5e3, maxPositions: 9 },
    })
  let strategy: StrategyId
  beforeEach(() => {
    strategy = lab.runStrategy('momentum', { instrument: 'BTCUSDT' })
    limits(100)
  })
  const target = (lots: number) =>
    lab.run({ type: 'SubmitIntents', strategy, intents: [{ type: 'target', slot: 0, lots }] })
  const wait = (ms: number) => {
    lab.wait(ms)
    lab.quote({ bid: 50_000, ask: 50_001 })
  }
  const denials = () => show().strategy(strategy)?.denials

  test('are counted with the name of the limit and the time of the next try, which grows', () => {
    expect(denials()).toBeNull()
    target(1_000)
    const first = { count: 1, name: 'Max Position Size', nextTryAt: lab.now + 30_000 }
    expect(denials()).toMatchObject(first)
    expect(denials()?.sentence).toBe(
      'Exposure would be 500.01, working orders included (now 0.00); Max Position Size is 100.00.',
    )
    wait(29_999)
    target(1_000)
    expect(denials()).toMatchObject(first)
    wait(1)
    expect(denials()).toMatchObject({ count: 1, nextTryAt: null })
    target(1_000)
    expect(denials()).toMatchObject({ count: 2, nextTryAt: lab.now + 60_000 })
  })

  test('are gone with the next order that is accepted, and when it is stopped', () => {
    target(1_000)
    limits(50_000)
    wait(30_000)
    target(1_000)
    expect(denials()).toBeNull()
    limits(0)
    target(2_000)
    expect(denials()?.count).toBe(1)
    lab.run({ type: 'StopStrategy', strategy })
    expect(denials()).toBeNull()
  })
})

test('the positions that an entry closed are found by its number, those of other entries are not', () => {
  const closed = [3, 5, 5, 7].map((at, index) => ({
    id: idFrom<PositionId>(`P-${index}`),
    strategy: idFrom<StrategyId>('MANUAL'),
    instrument: idFrom<InstrumentId>('BTCUSDT'),
    isLong: index !== 1,
    realised: NO_MONEY,
    fees: NO_MONEY,
    funding: NO_MONEY,
    openedAt: instantFromMs(1),
    closedAt: instantFromMs(2),
    seq: seqFrom(at),
  }))
  const register = { ...createPositionRegister(), closed }
  const idsOf = (at: number) => viewClosedBy(register, seqFrom(at)).map(({ id, side }) => [id, side])
  expect(idsOf(7)).toEqual([['P-3', 'LONG']])
  expect(idsOf(5)).toEqual([
    ['P-1', 'SHORT'],
    ['P-2', 'LONG'],
  ])
  expect(idsOf(3)).toEqual([['P-0', 'LONG']])
  for (const at of [1, 4, 6, 8]) expect(idsOf(at)).toEqual([])
})

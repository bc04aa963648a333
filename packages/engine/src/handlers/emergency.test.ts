import { beforeEach, describe, expect, test } from 'vitest'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { applyEntry, createHardState } from '#state/hard-state.ts'
import { createLab, type Lab, type LabOptions } from '#testkit/lab.ts'
import { createViews } from '#views/views.ts'

const PERP = 'BTCUSDT-PERP'
const BYBIT = 'BTCUSDT-PERP.BYBIT'
const LIMITS = { maxOrderSize: 1e6, maxPositionSize: 1e7, maxDailyLoss: 1e6, maxPositions: 200 }
const OPTIONS: LabOptions = { opening: { cash: 1e7, limits: LIMITS }, traded: PERP }

let lab: Lab

beforeEach(() => {
  lab = createLab(OPTIONS)
  quoteAll(lab)
})

function quoteAll(of: Lab): void {
  for (const instrument of [PERP, BYBIT]) of.quote({ instrument, bid: 50_000, ask: 50_000.01, size: 1000 })
}

const start = () => lab.run({ type: 'StartEmergency' })
const emergency = () => viewOf(lab).emergency()

function viewOf({ instruments, state, engine }: Lab) {
  const views = createViews(instruments, decodeSnapshot(encodeSnapshot(state)))
  views.refresh(engine.computeLiveFigures())
  return views
}

describe('closing everything', () => {
  test('[RISK-60] cancels all orders, closes all positions and halts when flat', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.place({ instrument: BYBIT, side: 'SELL', quantity: 2 })
    const working = lab.place({ instrument: PERP, orderType: 'LIMIT', price: 49_000, quantity: 1 })
    const reducing = lab.place({
      instrument: PERP,
      orderType: 'LIMIT',
      side: 'SELL',
      price: 51_000,
      quantity: 1,
    })
    start()
    expect(working).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.emergency' } })
    expect(reducing).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.emergency' } })
    expect(lab.state.positions.open.size).toBe(0)
    expect(lab.state.orders.working.size).toBe(0)
    expect(lab.state.risk).toMatchObject({
      tradingState: 'HALTED',
      tradingStateReason: { code: 'emergency' },
    })
    expect(emergency()).toMatchObject({
      isActive: false,
      outcome: 'flat',
      open: [],
      venues: [
        { venue: 'BINANCE', ordersAtStart: 2, positionsAtStart: 1, orders: 0, positions: 0 },
        { venue: 'BYBIT', ordersAtStart: 0, positionsAtStart: 1, orders: 0, positions: 0 },
      ],
    })
  })

  test('[RISK-60] flattens a hundred positions of strategies and stops what runs', () => {
    const running = lab.runStrategy('momentum', { instrument: PERP })
    for (let count = 0; count < 100; count += 1) {
      const { strategy } = addStrategy(`holder ${count}`)
      lab.place({ strategy, instrument: PERP, quantity: 0.1 })
    }
    expect(lab.state.positions.open.size).toBe(100)
    start()
    expect(lab.state.positions.open.size).toBe(0)
    expect(lab.state.risk.tradingState).toBe('HALTED')
    expect(lab.state.strategies.all.get(running)).toMatchObject({
      status: 'stopped',
      reason: 'Stopped by the emergency control.',
    })
  })

  test('[RISK-110] every order it cancels, by hand or of a strategy, adding or reducing, says so', () => {
    lab.runStrategy('market_making', { instrument: PERP })
    lab.quote({ instrument: PERP, bid: 50_000, ask: 50_000.01, size: 1000 })
    const quoted = [...lab.state.orders.working.keys()]
    expect(quoted.length).toBeGreaterThan(0)
    const byHand = lab.place({ instrument: BYBIT, orderType: 'LIMIT', price: 49_000, quantity: 1 })
    const strategy = lab.runStrategy('momentum', { instrument: BYBIT })
    lab.place({ strategy, instrument: BYBIT, quantity: 1 })
    const terms = { orderType: 'LIMIT', side: 'SELL', price: 51_000, quantity: 1 } as const
    const reducing = lab.place({ strategy, instrument: BYBIT, ...terms })
    start()
    for (const id of [...quoted, byHand.id, reducing.id]) {
      expect(lab.state.orders.finished.get(id)).toMatchObject({
        state: 'CANCELLED',
        reason: { code: 'cancel.emergency' },
      })
    }
  })

  function addStrategy(name: string) {
    const answer = lab.run({
      type: 'AddStrategy',
      name,
      strategyType: 'momentum',
      description: '',
      config: {},
    })
    if (!answer.ok || answer.strategy === undefined) throw new Error(JSON.stringify(answer))
    return { strategy: answer.strategy }
  }

  test('[RISK-111] what it cancelled and left is counted when it ends, whatever is ordered later', () => {
    lab.place({ instrument: PERP, orderType: 'LIMIT', price: 49_000, quantity: 1 })
    start()
    const report = { ordersAtStart: 1, ordersLeft: 0, positionsAtStart: 0, positionsLeft: 0 }
    expect(emergency()).toMatchObject({
      outcome: 'flat',
      venues: [{ venue: 'BINANCE', ...report, orders: 0 }],
    })
    lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })
    lab.place({ instrument: PERP, orderType: 'LIMIT', price: 49_000, quantity: 1 })
    expect(emergency().venues).toMatchObject([{ venue: 'BINANCE', ...report, orders: 1 }])
  })

  test.each([
    ['ended', { type: 'EndEmergency' }],
    ['halted', { type: 'ChangeTradingState', to: 'HALTED' }],
  ] as const)('[RISK-111] %s before all is closed, it says what was left then', (outcome, command) => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    start()
    lab.run(command)
    lab.run({ type: 'ConnectVenue', venue: 'BINANCE' })
    lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })
    quoteAll(lab)
    lab.place({ instrument: PERP, side: 'SELL', quantity: 1 })
    expect(lab.state.positions.open.size).toBe(0)
    const report = { positionsAtStart: 1, positionsLeft: 1, positions: 0 }
    expect(emergency()).toMatchObject({ outcome, venues: [{ venue: 'BINANCE', ...report }] })
  })

  test('[RISK-111] an order that closes a position is not one to cancel', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    start()
    expect(emergency().venues).toMatchObject([{ venue: 'BINANCE', ordersLeft: 0, positionsLeft: 1 }])
  })

  test('[RISK-112] says when trading was resumed after it, also when it is halted again', () => {
    start()
    expect(emergency()).toMatchObject({ outcome: 'flat', resumedAt: null })
    lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })
    const resumedAt = lab.state.risk.tradingStateSince
    expect(emergency()).toMatchObject({ outcome: 'flat', resumedAt })
    lab.wait(1000)
    lab.run({ type: 'ChangeTradingState', to: 'HALTED' })
    expect(emergency()).toMatchObject({ outcome: 'flat', resumedAt })
    start()
    expect(emergency()).toMatchObject({ outcome: 'flat', resumedAt: null })
  })

  test('[RISK-111] [RISK-112] reads what an older version stored', () => {
    lab.place({ instrument: PERP, orderType: 'LIMIT', price: 49_000, quantity: 1 })
    start()
    lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })
    lab.place({ instrument: PERP, orderType: 'LIMIT', price: 49_000, quantity: 1 })
    const { emergency: last, tradingStateSince } = lab.state.risk
    if (!last?.ended) throw new Error('it has not ended')
    const { at, outcome } = last.ended
    lab.state.risk.emergency = { startedAt: last.startedAt, venues: last.venues, ended: { at, outcome } }
    expect(emergency()).toMatchObject({
      resumedAt: tradingStateSince,
      venues: [{ ordersAtStart: 1, ordersLeft: 0, orders: 1 }],
    })
  })

  test('[RISK-61] lists what cannot be closed with its reason, closes the rest and tries again', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.place({ instrument: BYBIT, quantity: 1 })
    lab.run({ type: 'DisconnectVenue', venue: 'BYBIT' })
    start()
    expect(lab.state.risk.tradingState).toBe('REDUCING')
    expect(emergency()).toMatchObject({
      isActive: true,
      open: [{ instrument: BYBIT, quantity: 1, obstacle: expect.stringContaining('BYBIT') }],
    })
    const denied = lab.events.filter(({ type }) => type === 'OrderDenied')
    lab.wait(10_000)
    expect(lab.events.filter(({ type }) => type === 'OrderDenied')).toEqual(denied)
    lab.run({ type: 'ConnectVenue', venue: 'BYBIT' })
    lab.quote({ instrument: BYBIT, bid: 50_000, ask: 50_000.01, size: 1000 })
    lab.wait(10_000)
    lab.wait(10_000)
    expect(lab.state.positions.open.size).toBe(0)
    expect(lab.state.risk.tradingState).toBe('HALTED')
  })

  test('[RISK-61] waits for a stopped component', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'StopComponent', component: 'ExecutionEngine' })
    start()
    expect(emergency()).toMatchObject({ open: [{ obstacle: expect.stringContaining('ExecutionEngine') }] })
    lab.run({ type: 'StartComponent', component: 'ExecutionEngine' })
    lab.wait(10_000)
    expect(lab.state.risk.tradingState).toBe('HALTED')
  })

  test('[RISK-62] continues after a restart in the middle', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    start()
    const replayed = createHardState()
    for (const entry of lab.entries) applyEntry(replayed, entry)
    const before = lab.now
    lab = createLab({ ...OPTIONS, state: replayed, at: before })
    expect(emergency()).toMatchObject({ isActive: true })
    lab.run({ type: 'ConnectVenue', venue: 'BINANCE' })
    quoteAll(lab)
    lab.wait(10_000)
    expect(lab.state.positions.open.size).toBe(0)
    expect(lab.state.risk.tradingState).toBe('HALTED')
  })

  test('[RISK-63] refuses to resume and to start a strategy until it is ended, which leaves trading reduce-only', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    const strategy = lab.runStrategy('momentum', { instrument: PERP })
    start()
    const refused = { ok: false, reason: { code: 'emergency.active' } }
    expect(lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })).toMatchObject(refused)
    expect(lab.run({ type: 'StartStrategy', strategy })).toMatchObject(refused)
    lab.run({ type: 'EndEmergency' })
    expect(lab.state.risk.tradingState).toBe('REDUCING')
    expect(emergency()).toMatchObject({ isActive: false, outcome: 'ended' })
    expect(lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })).toMatchObject({ ok: true })
  })

  test('[RISK-63] a halt ends it', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    start()
    lab.run({ type: 'ChangeTradingState', to: 'HALTED' })
    expect(emergency()).toMatchObject({ isActive: false, outcome: 'halted', open: [{ instrument: PERP }] })
    expect(lab.state.risk).toMatchObject({ tradingState: 'HALTED', tradingStateReason: { code: 'asked' } })
  })

  test('[RISK-60] closes from HALTED too, and with nothing open halts at once', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'ChangeTradingState', to: 'HALTED' })
    start()
    expect(lab.state.positions.open.size).toBe(0)
    expect(lab.state.risk.tradingState).toBe('HALTED')
    const events = lab.watch(start)
    expect(events.map(({ type }) => type)).toEqual([
      'EmergencyStarted',
      'TradingStateChanged',
      'EmergencyEnded',
      'TradingStateChanged',
    ])
  })

  test('[RISK-60] a second press while it is active changes nothing', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    start()
    expect(lab.watch(start)).toEqual([])
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { fold } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { describeReason } from '#model/describe.ts'
import { FEATURE_NAMES, type FeatureName, type ServiceName } from '#model/feature.ts'
import { createHardState } from '#state/hard-state.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { moneyToNumber } from '#values/money.ts'
import { viewOrder } from '#views/order-view.ts'
import { createViews } from '#views/views.ts'

let lab: Lab
beforeEach(() => {
  lab = createLab()
  lab.quote({})
})

const flag = (feature: FeatureName, isEnabled: boolean) =>
  lab.run({ type: 'SwitchFeature', feature, isEnabled })
const stop = (service: ServiceName) => lab.run({ type: 'StopService', service })
const denied = (code: string) => ({ state: 'DENIED', reason: { code } })
const closeAll = () => {
  for (const { id: positionId } of [...lab.state.positions.open.values()])
    lab.run({ type: 'ClosePosition', positionId })
}

test('[FEAT-7] a new desk has the specified flags and services', () => {
  expect(lab.state.features).toEqual({
    'live-trading': true,
    backtesting: true,
    'paper-trading': false,
    'risk-management': true,
    'advanced-analytics': false,
    'multi-exchange': true,
  })
  expect(lab.state.services).toEqual({
    'market-data': true,
    'order-execution': true,
    risk: false,
    analytics: true,
  })
})

test('a switch to the state it has leaves no event', () => {
  expect(lab.watch(() => flag('backtesting', true))).toEqual([])
  expect(lab.watch(() => lab.run({ type: 'StartService', service: 'analytics' }))).toEqual([])
  expect(lab.watch(() => lab.run({ type: 'RestartService', service: 'analytics' }))).toMatchObject([
    { type: 'ServiceSwitched', isRunning: false },
    { type: 'ServiceSwitched', isRunning: true },
  ])
})

describe('Live Trading', () => {
  test('[FEAT-14] off: what adds is denied; cancels, closes, reductions and working orders are not touched', () => {
    lab.place({ quantity: 0.1 })
    const resting = lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.01 })
    flag('live-trading', false)
    expect(lab.place({ quantity: 0.01 })).toMatchObject(denied('feature.live-trading-off'))
    expect(lab.order(resting.id).state).toBe('WORKING')
    lab.run({ type: 'CancelOrder', orderId: resting.id })
    expect(lab.order(resting.id).state).toBe('CANCELLED')
    expect(lab.place({ side: 'SELL', quantity: 0.05, reduceOnly: true }).state).toBe('FILLED')
    expect(lab.place({ side: 'SELL', quantity: 0.01 }).state).toBe('FILLED')
    closeAll()
    expect(lab.state.positions.open.size).toBe(0)
    flag('live-trading', true)
    expect(lab.place({ quantity: 0.01 }).state).toBe('FILLED')
  })

  test('[FEAT-15] is never on without Risk Management', () => {
    const refused = flag('risk-management', false)
    expect(refused).toMatchObject({ ok: false, reason: { code: 'feature.live-on' } })
    flag('live-trading', false)
    expect(flag('risk-management', false)).toMatchObject({ ok: true })
    expect(flag('live-trading', true)).toMatchObject({ ok: false, reason: { code: 'feature.risk-off' } })
    expect(lab.state.features).toMatchObject({ 'live-trading': false, 'risk-management': false })
  })
})

test('[FEAT-17] Multi-Exchange off: only the primary venue accepts what adds', () => {
  lab.quote({ instrument: 'BTCUSDT.BYBIT' })
  lab.place({ instrument: 'BTCUSDT.BYBIT', quantity: 0.1 })
  flag('multi-exchange', false)
  const other = lab.place({ instrument: 'BTCUSDT.BYBIT', quantity: 0.01 })
  expect(other).toMatchObject(denied('feature.multi-exchange-off'))
  expect(other.reason && describeReason(other.reason)).toContain('only at BINANCE, not at BYBIT')
  expect(lab.place({ quantity: 0.01 }).state).toBe('FILLED')
  expect(lab.place({ instrument: 'BTCUSDT.BYBIT', side: 'SELL', quantity: 0.1 }).state).toBe('FILLED')
})

test('[FEAT-16] [ORD-65] Risk Management off: limits neither deny nor are recorded as checked, missing margin does', () => {
  flag('live-trading', false)
  flag('paper-trading', true)
  expect(lab.place({ quantity: 1 })).toMatchObject(denied('limit.order-size'))
  flag('risk-management', false)
  const events = lab.watch(() => expect(lab.place({ quantity: 1 }).state).toBe('FILLED'))
  const basis = events.find((event) => event.type === 'OrderSubmitted')?.basis
  expect(basis?.checks.map(({ check }) => check)).toEqual(['quote_age_ms', 'margin'])
  expect(lab.place({ quantity: 100 })).toMatchObject(denied('margin.insufficient'))
  lab.quote({ bid: 40_000, ask: 40_000.01 })
  lab.wait(60_000)
  expect(lab.state.risk.tradingState).toBe('ACTIVE')
})

describe('Order Execution Service', () => {
  test('[FEAT-19] stopped: new manual orders are denied, all else passes', () => {
    lab.place({ quantity: 0.1 })
    const resting = lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.01 })
    stop('order-execution')
    expect(lab.place({ quantity: 0.01 })).toMatchObject(denied('service.order-execution-stopped'))
    expect(lab.place({ side: 'SELL', quantity: 0.01, reduceOnly: true })).toMatchObject(
      denied('service.order-execution-stopped'),
    )
    expect(lab.preview({ quantity: 0.01 }).denial).toMatchObject({ code: 'service.order-execution-stopped' })
    expect(lab.run({ type: 'ModifyOrder', orderId: resting.id, price: 39_000 })).toMatchObject({ ok: true })
    lab.run({ type: 'CancelOrder', orderId: resting.id })
    expect(lab.order(resting.id).state).toBe('CANCELLED')
    closeAll()
    expect(lab.state.positions.open.size).toBe(0)
    lab.run({ type: 'StartService', service: 'order-execution' })
    expect(lab.place({ quantity: 0.01 }).state).toBe('FILLED')
  })

  test('[FEAT-19] stopped: the emergency control still closes everything', () => {
    lab.place({ quantity: 0.1 })
    stop('order-execution')
    lab.run({ type: 'StartEmergency' })
    expect(lab.state.positions.open.size).toBe(0)
  })
})

describe('Paper Trading', () => {
  test('[FEAT-20] orders trade for an account of their own, and the other rests to the last unit', () => {
    lab.place({ quantity: 0.1 })
    lab.quote({ bid: 49_000, ask: 49_000.01 })
    closeAll()
    const before = { ...lab.state.account }
    const live = [...lab.state.positions.results].map(([strategy, result]) => [strategy, { ...result }])
    expect(before.realised).toBeLessThan(0)

    flag('paper-trading', true)
    expect(moneyToNumber(lab.state.account.cash)).toBe(moneyToNumber(before.deposited))
    expect(lab.state.positions.results.size).toBe(0)
    expect(lab.place({ quantity: 0.1 }).state).toBe('FILLED')
    closeAll()
    const paper = { ...lab.state.account }
    expect(paper.cash).not.toBe(paper.deposited)

    flag('paper-trading', false)
    expect(lab.state.account).toEqual(before)
    expect([...lab.state.positions.results]).toEqual(live)
    flag('paper-trading', true)
    expect(lab.state.account).toEqual(paper)
  })

  test('[FEAT-20] Paper wins when both are on, and needs no Live Trading', () => {
    flag('paper-trading', true)
    expect(lab.place({ quantity: 0.01 }).terms.isPaper).toBe(true)
    flag('live-trading', false)
    expect(lab.place({ quantity: 0.01 }).state).toBe('FILLED')
  })

  test('[FEAT-21] is not switched while an order works or a position is open', () => {
    lab.place({ quantity: 0.1 })
    lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.01 })
    const refused = flag('paper-trading', true)
    expect(refused).toMatchObject({
      ok: false,
      reason: { code: 'feature.account-in-use', orders: 1, positions: 1 },
    })
    expect(refused.ok ? '' : describeReason(refused.reason)).toBe(
      'The account cannot be changed while 1 order is working and 1 position is open. Cancel and close them first.',
    )
    expect(lab.state.features['paper-trading']).toBe(false)
  })

  test('[FEAT-22] its orders are marked in the views', () => {
    const live = viewOrder(lab.place({ quantity: 0.01 }), lab.instruments)
    expect(live).not.toHaveProperty('isPaper')
    closeAll()
    flag('paper-trading', true)
    const paper = viewOrder(lab.place({ quantity: 0.01 }), lab.instruments)
    expect(paper.isPaper).toBe(true)
    // Stored texts have it here, and are compared with new ones.
    const after = Object.keys(live).indexOf('reduceOnly') + 1
    expect(Object.keys(paper)).toEqual(Object.keys(live).toSpliced(after, 0, 'isPaper'))
  })
})

test('[FEAT-18] the value at risk is null while Risk Service is stopped', () => {
  const views = createViews(lab.instruments, createHardState())
  for (const entry of lab.entries) views.apply(entry)
  views.refresh({ ...lab.engine.computeLiveFigures(), valueAtRisk: 7 })
  expect(views.risk().valueAtRisk).toBeNull()
  lab.run({ type: 'StartService', service: 'risk' })
  const started = lab.entries.at(-1)
  if (started) views.apply(started)
  expect(views.risk().valueAtRisk).toBe(7)
})

test('[FEAT-7] replay and snapshot give the same flags, services and accounts', () => {
  lab.place({ quantity: 0.1 })
  closeAll()
  flag('paper-trading', true)
  flag('live-trading', false)
  stop('analytics')
  lab.place({ quantity: 0.02 })
  const replayed = fold(createHardState(), lab.entries)
  expect(encodeSnapshot(replayed).text).toBe(encodeSnapshot(lab.state).text)
  const { features, services, idleLedger } = decodeSnapshot(encodeSnapshot(lab.state))
  expect({ features, services, idleLedger }).toEqual({
    features: lab.state.features,
    services: lab.state.services,
    idleLedger: lab.state.idleLedger,
  })
})

test('[FEAT-7] a snapshot of an older version gets the specified flags and services', () => {
  const { seq, text } = encodeSnapshot(lab.state)
  const { features: _f, services: _s, idleLedger: _l, ...older } = JSON.parse(text)
  const state = decodeSnapshot({ seq, text: JSON.stringify(older) })
  expect(state.features).toEqual(lab.state.features)
  expect(state.services).toEqual(lab.state.services)
  expect(state.idleLedger).toBeNull()
})

test('[FEAT-10] the engine’s view says which switches would be refused now', () => {
  lab.place({ quantity: 0.1 })
  const views = createViews(lab.instruments, createHardState())
  for (const entry of lab.entries) views.apply(entry)
  const conflicts = views.engine().features.map(({ conflict }) => conflict?.code ?? null)
  expect(Object.fromEntries(FEATURE_NAMES.map((name, index) => [name, conflicts[index]]))).toEqual({
    'live-trading': null,
    backtesting: null,
    'paper-trading': 'feature.account-in-use',
    'risk-management': 'feature.live-on',
    'advanced-analytics': null,
    'multi-exchange': null,
  })
})

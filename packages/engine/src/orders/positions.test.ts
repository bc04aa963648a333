import { beforeEach, describe, expect, test } from 'vitest'
import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import { fold } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { type Position, positionKey } from '#model/position.ts'
import { createHardState } from '#state/hard-state.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { type IdempotencyKey, idFrom, MANUAL, type PositionId, type StrategyId } from '#values/ids.ts'
import { instantFromMs } from '#values/instant.ts'
import { type Money, printMoney } from '#values/money.ts'
import { priceFromTicks } from '#values/price.ts'

const PERP = 'BTCUSDT-PERP'
let lab: Lab

beforeEach(() => {
  const limits = { maxOrderSize: 1e6, maxPositionSize: 1e7, maxDailyLoss: 1e6, maxPositions: 10 }
  lab = createLab({ opening: { cash: 1_000_000, limits } })
})

function trade(side: 'BUY' | 'SELL', quantity: number, at: number, strategy = MANUAL): void {
  lab.quote({
    instrument: PERP,
    bid: side === 'BUY' ? at - 1 : at,
    ask: side === 'BUY' ? at : at + 1,
    size: 100,
  })
  lab.place({ instrument: PERP, side, quantity, strategy })
}

function held(strategy = MANUAL): Position | undefined {
  const id = lab.instruments.find(PERP)?.id
  return id && lab.state.positions.open.get(positionKey(strategy, id))
}

const exact = (amount: Money | undefined) => amount !== undefined && printMoney(amount)

describe('netting', () => {
  test('buys add to a long at their average price', () => {
    trade('BUY', 1, 50_000)
    trade('BUY', 3, 52_000)
    expect(held()).toMatchObject({ id: 'P-1', quantity: 400_000, realised: 0 })
    expect(exact(held()?.cost)).toBe('206000')
  })

  test('a partial close realises its share of the cost and keeps the average', () => {
    trade('BUY', 4, 50_000)
    trade('SELL', 1, 53_000)
    expect(exact(held()?.realised)).toBe('3000')
    expect(exact(held()?.cost)).toBe('150000')
  })

  test('a short earns when the price falls', () => {
    trade('SELL', 2, 50_000)
    expect(exact(held()?.cost)).toBe('-100000')
    trade('BUY', 1, 49_000)
    expect(held()).toMatchObject({ quantity: -100_000 })
    expect(exact(held()?.realised)).toBe('1000')
  })

  test('a full close leaves no position, and the result with the strategy', () => {
    trade('BUY', 1, 50_000)
    trade('SELL', 1, 49_000)
    expect(held()).toBeUndefined()
    const result = lab.state.positions.results.get(MANUAL)
    expect(exact(result?.realised)).toBe('-1000')
    expect(exact(result?.fees)).toBe('29.7')
    expect(result).toMatchObject({ closed: 1, won: 0 })
  })

  test('a flip through zero closes the one and begins another', () => {
    trade('BUY', 1, 50_000)
    trade('SELL', 3, 51_000)
    expect(held()).toMatchObject({ id: 'P-2', quantity: -200_000, realised: 0 })
    expect(exact(held()?.cost)).toBe('-102000')
    expect(exact(lab.state.account.realised)).toBe('1000')
    expect(lab.state.positions.results.get(MANUAL)).toMatchObject({ closed: 1, won: 1 })
  })

  test('an average that does not divide loses nothing: the last lot takes the remainder with it', () => {
    trade('BUY', 0.00001 * 10, 50_000.01)
    trade('BUY', 0.0002, 50_000.02)
    trade('SELL', 0.0001, 50_000.02)
    trade('SELL', 0.0002, 50_000.02)
    expect(exact(lab.state.account.realised)).toBe('0.000001')
    expect(held()).toBeUndefined()
  })

  test('strategies do not net against one another', () => {
    const other = idFrom<StrategyId>('momentum-1')
    trade('BUY', 1, 50_000)
    trade('SELL', 1, 50_000, other)
    expect(held()).toMatchObject({ id: 'P-1', quantity: 100_000 })
    expect(held(other)).toMatchObject({ id: 'P-2', quantity: -100_000 })
  })
})

describe('cash', () => {
  test('a buy pays its value and its fee, a sell receives the one and pays the other', () => {
    trade('BUY', 1, 50_000)
    expect(exact(lab.state.account.cash)).toBe('949985')
    trade('SELL', 1, 51_000)
    expect(exact(lab.state.account.cash)).toBe('1000969.7')
    expect(exact(lab.state.account.fees)).toBe('30.3')
  })
})

describe('funding', () => {
  test('longs pay and shorts receive when the rate is positive, to the unit', () => {
    const other = idFrom<StrategyId>('short')
    trade('BUY', 1, 50_000)
    trade('SELL', 3, 50_000, other)
    const instrument = lab.instruments.find(PERP)?.id
    if (instrument === undefined) throw new Error('no perpetual')
    const report = { type: 'funding', instrument, price: priceFromTicks(5_000_001) } as const
    expect(lab.watch(() => lab.receive({ ...report, rateE8: 10_000 }))).toMatchObject([
      { type: 'FundingPaid', strategy: 'MANUAL', amount: -500_000_100 },
      { type: 'FundingPaid', strategy: 'short', amount: 1_500_000_300 },
    ])
    expect(exact(held()?.funding)).toBe('-5.000001')
    expect(exact(lab.state.account.funding)).toBe('10.000002')
  })

  test('venues charge it every eight hours on perpetuals only', () => {
    trade('BUY', 1, 50_000)
    lab.quote({})
    lab.place({ quantity: 0.1 })
    const paid = (ms: number) => lab.watch(() => lab.wait(ms)).filter(({ type }) => type === 'FundingPaid')
    expect(paid(3 * 3_600_000)).toEqual([])
    expect(paid(3_600_000)).toMatchObject([{ instrument: PERP }])
    expect(paid(7 * 3_600_000)).toEqual([])
    expect(paid(3_600_000)).toHaveLength(1)
  })
})

describe('a repeated funding report', () => {
  const settled = (hour: number) => ({ settledAt: instantFromMs(Date.UTC(2026, 0, 6, hour)) })

  test('[POS-200] is paid once per settlement and instrument, after a restart too', () => {
    trade('BUY', 1, 50_000)
    trade('SELL', 3, 50_000, idFrom<StrategyId>('short'))
    const report = { ...fundingReport(), ...settled(8) }
    lab.receive(report)
    expect(exact(lab.state.account.funding)).toBe('10')
    expect(lab.watch(() => lab.receive(report, { ...report, ...settled(0) }))).toEqual([])
    const state = decodeSnapshot(encodeSnapshot(lab.state))
    expect(state).toEqual(fold(createHardState(), lab.entries.map(encodeEntry).map(decodeEntry)))
    lab = createLab({ state, at: lab.now })
    expect(lab.watch(() => lab.receive(report))).toEqual([])
    expect(lab.watch(() => lab.receive({ ...report, ...settled(16) }))).toHaveLength(2)
    expect(exact(lab.state.account.funding)).toBe('20')
  })

  test('[POS-200] an older snapshot, which knows no settlement, is still read', () => {
    trade('BUY', 1, 50_000)
    lab.receive({ ...fundingReport(), ...settled(8) })
    const { seq, text } = encodeSnapshot(lab.state)
    const { funded, ...plain } = JSON.parse(text)
    expect(funded).toHaveLength(1)
    const old = decodeSnapshot({ seq, text: JSON.stringify(plain) })
    expect(old).toEqual({ ...lab.state, funded: new Map() })
  })

  function fundingReport() {
    const instrument = lab.instruments.find(PERP)?.id
    if (instrument === undefined) throw new Error('no perpetual')
    return { type: 'funding', instrument, price: priceFromTicks(5_000_000), rateE8: 10_000 } as const
  }
})

describe('closing', () => {
  test('[CALL-15] [CALL-39] a position is closed by a market order that only reduces', () => {
    trade('BUY', 1, 50_000)
    lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(lab.order([...lab.state.orders.finished.keys()].at(-1) ?? ('' as never))).toMatchObject({
      state: 'FILLED',
      terms: { type: 'MARKET', side: 'SELL', quantity: 100_000, reduceOnly: true },
    })
    expect(lab.state.positions.open.size).toBe(0)
  })

  test('orders working towards the same end are taken back first', () => {
    trade('BUY', 1, 50_000)
    const target = lab.place({
      instrument: PERP,
      orderType: 'LIMIT',
      side: 'SELL',
      price: 60_000,
      quantity: 1,
    })
    const more = lab.place({ instrument: PERP, orderType: 'LIMIT', side: 'BUY', price: 40_000, quantity: 1 })
    lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(target).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.position-closed' } })
    expect(more.state).toBe('WORKING')
    expect(held()).toBeUndefined()
  })

  test('a close that is denied leaves the protecting orders alone', () => {
    trade('BUY', 1, 50_000)
    const stop = lab.place({ instrument: PERP, orderType: 'STOP', side: 'SELL', price: 40_000, quantity: 1 })
    lab.run({ type: 'StopComponent', component: 'DataEngine' })
    const answer = lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(answer.ok && answer.orderId && lab.order(answer.orderId)).toMatchObject({
      state: 'DENIED',
      reason: { code: 'component.down', component: 'DataEngine' },
    })
    expect(stop.state).toBe('WORKING')
  })

  test('a position that is not open cannot be closed, and the same key closes once', () => {
    trade('BUY', 1, 50_000)
    const key = idFrom<IdempotencyKey>('close-it')
    const close = { type: 'ClosePosition', positionId: idFrom<PositionId>('P-1'), key } as const
    expect(lab.run(close)).toMatchObject({ ok: true, orderId: 'O-2', repeats: null })
    expect(lab.run(close)).toMatchObject({ ok: true, orderId: 'O-2', repeats: 4 })
    expect(lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })).toEqual({
      ok: false,
      reason: { code: 'position.unknown', position: 'P-1' },
    })
  })
})

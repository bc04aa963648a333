import { beforeEach, describe, expect, test } from 'vitest'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { describeReason } from '#model/describe.ts'
import { DAYS_NEEDED } from '#risk/value-at-risk.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { idFrom, type PositionId } from '#values/ids.ts'
import { instantFromMs, MS_PER_DAY } from '#values/instant.ts'
import { priceFromTicks } from '#values/price.ts'
import { quantityFromLots } from '#values/quantity.ts'

const PERP = 'BTCUSDT-PERP'
let lab: Lab
beforeEach(() => {
  lab = createLab({
    opening: { limits: { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 5_000, maxPositions: 10 } },
  })
  lab.quote({ instrument: PERP, bid: 50_000, ask: 50_000.01, size: 100 })
})

const limit = (side: 'BUY' | 'SELL', at: number, size: number) =>
  ({ instrument: PERP, orderType: 'LIMIT', side, price: at, quantity: size }) as const
const drop = (to: number) => lab.quote({ instrument: PERP, bid: to, ask: to + 0.01, size: 100 })

/** A tenth of a second to the venue, none back. */
function slowLab(): Lab {
  const latency = { outboundMs: () => 100, inboundMs: () => 0 }
  const slow = createLab({ latency })
  slow.quote({ instrument: PERP, bid: 50_000, ask: 50_000.01, size: 100 })
  return slow
}

function heldLots(): number[] {
  return [...lab.state.positions.open.values()].map((position) => position.quantity)
}

describe('the daily loss', () => {
  beforeEach(() => {
    lab.place({ instrument: PERP, quantity: 5 })
  })

  test('reaching it moves trading to REDUCING by itself, with the numbers', () => {
    drop(49_100)
    expect(lab.state.risk.tradingState).toBe('ACTIVE')
    const events = lab.watch(() => drop(49_000))
    expect(events.map(({ type }) => type)).toEqual(['LimitBreached', 'TradingStateChanged'])
    expect(lab.state.risk).toMatchObject({
      tradingState: 'REDUCING',
      tradingStateReason: { code: 'daily-loss', limit: 5_000 },
    })
    expect(lab.state.risk.breaches).toHaveLength(1)
  })

  test('working orders that would add are taken back, those that reduce stay', () => {
    const adds = lab.place(limit('BUY', 40_000, 1))
    const reduces = lab.place(limit('SELL', 60_000, 2))
    const tooMuch = lab.place(limit('SELL', 61_000, 4))
    drop(49_000)
    expect(adds).toMatchObject({
      state: 'CANCELLED',
      reason: { code: 'cancel.trading-state', state: 'REDUCING' },
    })
    expect(reduces.state).toBe('WORKING')
    expect(tooMuch.state).toBe('CANCELLED')
  })

  test('[RISK-30] [RISK-41] it does not resume by itself, nor by a person while the loss is as large, and the refusal has the numbers', () => {
    drop(49_000)
    drop(50_000)
    expect(lab.state.risk.tradingState).toBe('REDUCING')
    expect(lab.place(limit('BUY', 40_000, 1))).toMatchObject({ reason: { code: 'trading.reducing' } })
    drop(49_000)
    const resume = () => lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })
    const refused = resume()
    expect(refused).toMatchObject({ ok: false, reason: { code: 'trading.loss-reached', limit: 5_000 } })
    expect(refused.ok ? '' : describeReason(refused.reason)).toBe(
      "Today's loss, 5,075.03, has reached Max Daily Loss, 5,000.00. Raise that limit on the Risk Management screen first, or resume after 00:00 UTC.",
    )
    expect(lab.state.risk.tradingState).toBe('REDUCING')
    lab.run({ type: 'ChangeTradingState', to: 'HALTED' })
    expect(resume()).toMatchObject({ ok: false })
    expect(lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })).toMatchObject({ ok: true })
    drop(50_000)
    expect(resume()).toMatchObject({ ok: true })
    expect(lab.state.risk.tradingState).toBe('ACTIVE')
  })

  test('[RISK-30] a person resumes when Max Daily Loss is raised above the loss', () => {
    drop(49_000)
    const limits = { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 6_000, maxPositions: 10 }
    lab.run({ type: 'ChangeLimits', limits })
    expect(lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })).toMatchObject({ ok: true })
    drop(48_900)
    expect(lab.state.risk.tradingState).toBe('ACTIVE')
  })

  test('it holds orders back that come before it is looked at again', () => {
    lab.run({ type: 'StopComponent', component: 'RiskEngine' })
    drop(49_000)
    lab.run({ type: 'StartComponent', component: 'RiskEngine' })
    expect(lab.state.risk.tradingState).toBe('ACTIVE')
    expect(lab.place(limit('BUY', 40_000, 1))).toMatchObject({
      reason: { code: 'limit.daily-loss', limit: 5_000 },
    })
    drop(48_999)
    expect(lab.state.risk.tradingState).toBe('REDUCING')
  })

  test('a new day at 00:00 UTC starts from its own equity', () => {
    drop(49_500)
    lab.wait(12 * 3_600_000)
    expect(lab.state.risk.day).toBe(Date.UTC(2026, 0, 6))
    drop(48_700)
    expect(lab.state.risk.tradingState).toBe('ACTIVE')
    drop(48_490)
    expect(lab.state.risk.tradingState).toBe('REDUCING')
  })

  test('a lower limit is felt at once', () => {
    drop(49_900)
    lab.run({
      type: 'ChangeLimits',
      limits: { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 400, maxPositions: 10 },
    })
    expect(lab.state.risk.tradingState).toBe('REDUCING')
  })
})

describe('trading states', () => {
  test('HALTED lets no order through, not even a close; cancels pass', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    const stop = lab.place({ instrument: PERP, orderType: 'STOP', side: 'SELL', price: 40_000, quantity: 1 })
    lab.run({ type: 'ChangeTradingState', to: 'HALTED', note: 'lunch' })
    expect(lab.state.risk.tradingStateReason).toEqual({ code: 'asked', note: 'lunch' })
    expect(lab.place(limit('SELL', 60_000, 1))).toMatchObject({ reason: { code: 'trading.halted' } })
    const answer = lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(answer.ok && answer.orderId && lab.order(answer.orderId).state).toBe('DENIED')
    expect(stop.state).toBe('WORKING')
    lab.run({ type: 'CancelOrder', orderId: stop.id })
    expect(stop.state).toBe('CANCELLED')
  })

  test('REDUCING lets a close through', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })
    lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    expect(lab.state.positions.open.size).toBe(0)
  })

  test('[RISK-200] an order that a change on its way makes too large to only reduce is cancelled', () => {
    lab = slowLab()
    lab.place({ instrument: PERP, quantity: 0.1 })
    lab.wait(100)
    const sell = lab.place(limit('SELL', 60_000, 0.05))
    lab.wait(100)
    lab.run({ type: 'ModifyOrder', orderId: sell.id, quantity: 0.15 })
    lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })
    lab.wait(100)
    expect(sell).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.trading-state' } })
    drop(70_000)
    expect(heldLots()).toEqual([10_000])
  })

  test('[RISK-200] closing a part cancels an order that would be too large after it, before both can fill', () => {
    lab = slowLab()
    lab.place({ instrument: PERP, quantity: 0.1 })
    lab.wait(100)
    const [small, large] = [
      lab.place(limit('SELL', 60_000, 0.04)),
      lab.place(limit('SELL', 61_000, 0.06)),
    ] as const
    lab.wait(100)
    lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })
    expect([small.isCancelRequested, large.isCancelRequested]).toEqual([false, false])
    lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1'), quantity: 0.04 })
    expect([small.isCancelRequested, large.isCancelRequested]).toEqual([false, true])
    lab.wait(100)
    drop(70_000)
    expect(large).toMatchObject({
      state: 'CANCELLED',
      reason: { code: 'cancel.trading-state', state: 'REDUCING' },
    })
    expect(small.state).toBe('FILLED')
    expect(heldLots()).toEqual([2_000])
  })

  test('[RISK-200] when a venue makes an order larger, another that no longer only reduces is cancelled', () => {
    lab.place({ instrument: PERP, quantity: 0.1 })
    const close = lab.place({ ...limit('SELL', 60_000, 0.04), reduceOnly: true })
    const plain = lab.place(limit('SELL', 61_000, 0.06))
    lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })
    const bigger = { change: 1, quantity: quantityFromLots(9_000), price: priceFromTicks(6_000_000) }
    lab.receive({ type: 'changed', orderId: close.id, ...bigger })
    expect(plain).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.trading-state' } })
  })

  test('[RISK-200] a close on its way stays, and an order that would be too large after it does not', () => {
    lab = slowLab()
    lab.place({ instrument: PERP, quantity: 0.1 })
    lab.wait(100)
    const plain = lab.place(limit('SELL', 60_000, 0.1))
    lab.wait(100)
    const closing = { type: 'ClosePosition', positionId: idFrom<PositionId>('P-1'), quantity: 0.04 } as const
    const answer = lab.run(closing)
    lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })
    expect(plain.isCancelRequested).toBe(true)
    lab.wait(100)
    expect(answer.ok && answer.orderId && lab.order(answer.orderId).state).toBe('FILLED')
    expect(heldLots()).toEqual([6_000])
  })

  test('the state it already has is no change', () => {
    expect(lab.watch(() => lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' }))).toEqual([])
  })
})

describe('drawdown', () => {
  test('the high-water mark rises with equity and the deepest fall from it is kept', () => {
    lab.place({ instrument: PERP, quantity: 1 })
    drop(52_000)
    lab.wait(60_000)
    expect(lab.events.at(-1)).toMatchObject({ type: 'HighWaterRaised' })
    const high = Number(lab.state.risk.highWater) / 1e8
    expect(high).toBeCloseTo(101_985, 0)
    drop(50_000)
    lab.wait(60_000)
    expect(lab.state.risk.drawdownPpm).toBe(Math.round((2_000 / high) * 1e6))
    drop(51_000)
    lab.wait(60_000)
    expect(lab.state.risk.drawdownPpm).toBe(Math.round((2_000 / high) * 1e6))
  })

  test('a quiet minute leaves no entry', () => {
    lab.wait(60_000)
    expect(lab.watch(() => lab.wait(60_000))).toEqual([])
  })
})

describe('after a restart', () => {
  /** A long position of 1 that has earned 10,000. */
  beforeEach(() => {
    lab.place({ instrument: PERP, quantity: 1 })
    drop(60_000)
    lab.wait(12 * 3_600_000)
    drop(60_000)
    lab.wait(60_000)
    expect(Number(lab.state.risk.equityAtDayStart) / 1e8).toBeCloseTo(109_985, 0)
  })

  const restart = (at = lab.now) => {
    lab = createLab({ state: decodeSnapshot(encodeSnapshot(lab.state)), at })
  }

  test('[RISK-204] equity is not sampled and the daily loss not checked before the positions have a quote', () => {
    const OTHER = 'ETHUSDT-PERP'
    lab.quote({ instrument: OTHER, bid: 3_000, ask: 3_000.01, size: 100 })
    lab.place({ instrument: OTHER, quantity: 0.01 })
    restart()
    lab.quote({ instrument: OTHER, bid: 3_000, ask: 3_000.01, size: 100 })
    expect(lab.state.risk.tradingState).toBe('ACTIVE')
    expect(lab.watch(() => lab.wait(59_000))).toEqual([])
    expect(lab.state.risk).toMatchObject({ tradingState: 'ACTIVE', drawdownPpm: 0 })
    drop(60_000)
    expect(lab.watch(() => lab.wait(60_000))).toEqual([])
    drop(54_900)
    expect(lab.state.risk.tradingState).toBe('REDUCING')
  })

  test('[RISK-204] a new day starts with the first quote of all positions', () => {
    restart(instantFromMs(Date.UTC(2026, 0, 7)))
    expect(lab.watch(() => lab.wait(5))).toEqual([])
    drop(61_000)
    const [started] = lab.watch(() => lab.wait(5))
    expect(started).toMatchObject({ type: 'DayStarted', day: Date.UTC(2026, 0, 7) })
    expect(Number(lab.state.risk.equityAtDayStart) / 1e8).toBeCloseTo(110_979, 0)
  })

  test('[RISK-204] a position whose venue stays disconnected counts at its cost after a minute, and is not sampled', () => {
    lab.quote({ instrument: 'ETHUSDT-PERP.BYBIT', bid: 3_000, ask: 3_000.01, size: 100 })
    lab.place({ instrument: 'ETHUSDT-PERP.BYBIT', quantity: 1 })
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    restart(instantFromMs(Date.UTC(2026, 0, 7)))
    lab.quote({ instrument: 'ETHUSDT-PERP.BYBIT', bid: 3_000, ask: 3_000.01, size: 100 })
    lab.wait(5)
    expect(lab.watch(() => lab.wait(59_000))).toEqual([])
    expect(lab.watch(() => lab.wait(5_000)).map(({ type }) => type)).toEqual(['DayStarted'])
    expect(Number(lab.state.risk.equityAtDayStart) / 1e8).toBeCloseTo(99_980, -1)
    lab.run({
      type: 'ChangeLimits',
      limits: { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 100, maxPositions: 10 },
    })
    lab.quote({ instrument: 'ETHUSDT-PERP.BYBIT', bid: 2_850, ask: 2_850.01, size: 100 })
    expect(lab.state.risk.tradingState).toBe('REDUCING')
  })
})

describe('value at risk', () => {
  const noteDays = (days: number) => {
    for (let day = days; day >= 0; day--) {
      const instrument = lab.instruments.find(PERP)?.id ?? ('' as never)
      const first = lab.instruments.all[0]?.id ?? ('' as never)
      // Every tenth day falls by 2 percent times its number, the others stand still.
      const close = 5_000_000 * (1 - 0.02 * Number(day % 10 === 0))
      const at = instantFromMs(Date.UTC(2026, 0, 5) - day * MS_PER_DAY)
      const bar = {
        kind: 'tick',
        type: 'bar',
        at,
        interval: '1d',
        open: close,
        high: close,
        low: close,
        close,
      } as never
      lab.process({ ...(bar as object), instrument, volume: 1 } as never)
      lab.process({ ...(bar as object), instrument: first, volume: 1 } as never)
    }
  }

  beforeEach(() => {
    lab.run({ type: 'StartService', service: 'risk' })
  })

  test('it is unknown until there are 30 days', () => {
    expect(DAYS_NEEDED).toBe(30)
    noteDays(29)
    expect(lab.engine.computeLiveFigures().valueAtRisk).toBeNull()
    noteDays(30)
    expect(lab.engine.computeLiveFigures().valueAtRisk).toBe(0)
  })

  test('it is the loss that one day in twenty exceeds', () => {
    noteDays(60)
    lab.place({ instrument: PERP, quantity: 1 })
    expect(lab.engine.computeLiveFigures().valueAtRisk).toBeCloseTo(0.02 * 50_000.005, 4)
    lab.place({ instrument: PERP, side: 'SELL', quantity: 2 })
    expect(lab.engine.computeLiveFigures().valueAtRisk).toBeCloseTo((1 / 0.98 - 1) * 50_000.005, 4)
  })
})

import { describe, expect, test } from 'vitest'
import type { Order } from '#model/order.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { NO_MONEY, printMoney } from '#values/money.ts'

/** Can be sold short. */
const traded = 'BTCUSDT-PERP'

const held = ({ state }: Lab) =>
  Object.fromEntries(
    [...state.positions.open.values()].map(({ instrument, quantity }) => [instrument, quantity]),
  )

const working = ({ state }: Lab) => [...state.orders.working.values()]
const priceOn = (orders: readonly Order[], side: 'BUY' | 'SELL') =>
  orders.find(({ terms }) => terms.side === side)?.price

/** One second of the market with one trade in it. */
function second(lab: Lab, price: number): void {
  lab.quote({ bid: price, ask: price + 1 })
  lab.trade({ price })
  lab.wait(1_000)
}

describe('momentum', () => {
  const QUICK = { instrument: traded, fast_bars: 1, slow_bars: 3, threshold_bps: 0, order_value: 501 }

  test('it takes the side of the averages after warm-up, and reverses when they cross', () => {
    const lab = createLab({ traded })
    lab.runStrategy('momentum', QUICK)
    for (const price of [50_000, 50_010, 50_020]) second(lab, price)
    expect(held(lab)).toEqual({})
    second(lab, 50_030)
    expect(held(lab)).toEqual({ 'BTCUSDT-PERP': 1_001 })
    second(lab, 50_040)
    expect(lab.state.orders.nextNumber).toBe(2)
    for (const price of [49_000, 48_900]) second(lab, price)
    expect(held(lab)[traded]).toBeLessThan(-1_000)
  })

  test('averages nearer than the threshold do not count as crossed', () => {
    const lab = createLab({ traded })
    lab.runStrategy('momentum', { ...QUICK, threshold_bps: 100 })
    for (const price of [50_000, 50_010, 50_020, 50_030, 49_900, 49_890]) second(lab, price)
    expect(held(lab)).toEqual({ 'BTCUSDT-PERP': 1_001 })
  })
})

describe('mean reversion', () => {
  const CALM = { instrument: traded, window_bars: 5, entry_score: 2, exit_score: 0.5, min_edge_bps: 1 }

  test('it buys far below the mean and closes near it', () => {
    const lab = createLab({ traded })
    lab.runStrategy('mean_reversion', { ...CALM, order_value: 501 })
    for (const price of [50_000, 50_010, 49_990, 50_000, 50_010, 49_900]) second(lab, price)
    lab.quote({ bid: 49_900 })
    expect(held(lab)).toEqual({ 'BTCUSDT-PERP': 1_003 })
    for (const price of [49_950, 49_980]) second(lab, price)
    lab.quote({ bid: 49_980 })
    expect(held(lab)).toEqual({})
  })

  test('it gives up after max_hold_bars', () => {
    const lab = createLab({ traded })
    lab.runStrategy('mean_reversion', { ...CALM, window_bars: 100, max_hold_bars: 3 })
    for (let count = 0; count < 50; count++) for (const price of [50_000, 50_010]) second(lab, price)
    for (const price of [50_200, 50_201, 50_202]) second(lab, price)
    expect(held(lab)[traded]).toBeLessThan(0)
    for (const price of [50_203, 50_204, 50_205]) second(lab, price)
    expect(held(lab)).toEqual({})
  })
})

describe('arbitrage', () => {
  const PAIR = { instruments: [traded, 'BTCUSDT-PERP.BYBIT'], order_value: 501, max_inventory: 1_100 }
  const show = (lab: Lab, here: number, there: number) => {
    lab.wait(100)
    lab.quote({ instrument: traded, bid: here, ask: here + 1 })
    lab.quote({ instrument: 'BTCUSDT-PERP.BYBIT', bid: there, ask: there + 1 })
  }

  test('it buys where it is cheap, then sells as much where it is dear, up to its inventory', () => {
    const lab = createLab({ traded })
    const id = lab.runStrategy('arbitrage', PAIR)
    show(lab, 50_000, 50_030)
    expect(held(lab)).toEqual({})
    show(lab, 50_000, 50_100)
    expect(held(lab)).toEqual({ 'BTCUSDT-PERP': 1_001 })
    lab.quote({ instrument: traded, bid: 50_000, ask: 50_001 })
    expect(held(lab)).toEqual({ 'BTCUSDT-PERP': 1_001, 'BTCUSDT-PERP.BYBIT': -1_001 })
    for (let count = 0; count < 8; count++) show(lab, 50_000, 50_100)
    expect(held(lab)).toEqual({ 'BTCUSDT-PERP': 2_199, 'BTCUSDT-PERP.BYBIT': -2_199 })
    for (let count = 0; count < 10; count++) show(lab, 50_100, 50_000)
    const result = lab.state.positions.results.get(id)
    expect(Number(printMoney(result?.realised ?? NO_MONEY))).toBeGreaterThan(0)
  })

  test('a leg that stays alone because the other is denied is given back', () => {
    const limits = { maxOrderSize: 10_000, maxPositionSize: 50_000, maxDailyLoss: 5_000, maxPositions: 1 }
    const lab = createLab({ traded, opening: { limits } })
    lab.runStrategy('arbitrage', PAIR)
    show(lab, 50_000, 50_100)
    show(lab, 50_000, 50_040)
    expect(held(lab)).toEqual({ 'BTCUSDT-PERP': 1_001 })
    for (let count = 0; count < 25; count++) show(lab, 50_000, 50_040)
    expect(held(lab)).toEqual({})
    expect(lab.events.filter(({ type }) => type === 'OrderDenied')).toHaveLength(1)
  })
})

describe('market making', () => {
  const WIDE = {
    instrument: traded,
    half_spread_bps: 10,
    requote_bps: 2,
    requote_s: 5,
    skew_bps: 10,
    order_value: 510,
    max_inventory: 1_100,
  }

  test('it quotes both sides and moves them when the market has moved, not before its time', () => {
    const lab = createLab({ traded })
    lab.runStrategy('market_making', WIDE)
    lab.quote({ bid: 50_000, ask: 50_001 })
    expect([priceOn(working(lab), 'BUY'), priceOn(working(lab), 'SELL')]).toEqual([4_995_049, 5_005_051])
    lab.wait(1_000)
    lab.quote({ bid: 50_005, ask: 50_006 })
    lab.quote({ bid: 50_005, ask: 50_006 })
    expect(priceOn(working(lab), 'BUY')).toBe(4_995_049)
    lab.wait(5_000)
    lab.quote({ bid: 50_030, ask: 50_031 })
    lab.quote({ bid: 50_030, ask: 50_031 })
    expect(priceOn(working(lab), 'BUY')).toBe(4_998_046)
  })

  test('what it holds pushes both quotes towards getting rid of it, and fills it no further than its limit', () => {
    const lab = createLab({ traded })
    lab.runStrategy('market_making', WIDE)
    lab.quote({ bid: 50_000, ask: 50_001 })
    lab.quote({ bid: 49_940, ask: 49_941 })
    expect(held(lab)).toEqual({ 'BTCUSDT-PERP': 1_019 })
    lab.wait(6_000)
    lab.quote({ bid: 50_000, ask: 50_001 })
    lab.quote({ bid: 50_000, ask: 50_001 })
    const buy = priceOn(working(lab), 'BUY') ?? 0
    const sell = priceOn(working(lab), 'SELL') ?? 0
    expect(buy).toBeLessThan(4_995_049)
    expect(sell).toBeLessThan(5_005_051)
    expect(sell).toBeGreaterThan(5_000_100)
    lab.quote({ bid: 49_800, ask: 49_801 })
    lab.wait(6_000)
    for (let count = 0; count < 3; count++) lab.quote({ bid: 49_800, ask: 49_801 })
    expect(held(lab)[traded]).toBeGreaterThan(2_000)
    expect(priceOn(working(lab), 'BUY')).toBeUndefined()
  })
})

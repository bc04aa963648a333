import { expect, test } from 'vitest'
import { createLab, type Lab } from '#testkit/lab.ts'
import { NO_MONEY, printMoney } from '#values/money.ts'

const held = ({ state }: Lab) =>
  Object.fromEntries(
    [...state.positions.open.values()].map(({ instrument, quantity }) => [instrument, quantity]),
  )
const denied = ({ events }: Lab) => events.filter(({ type }) => type === 'OrderDenied')
const workingOn = ({ state }: Lab, side: 'BUY' | 'SELL') =>
  [...state.orders.working.values()].find(({ terms }) => terms.side === side)

/** One second of the market with one trade in it. */
function second(lab: Lab, price: number): void {
  lab.quote({ bid: price, ask: price + 1 })
  lab.trade({ price })
  lab.wait(1_000)
}

test('[STRAT-32] momentum on spot holds nothing where it would be short on a perpetual', () => {
  const lab = createLab()
  const own = { fast_bars: 1, slow_bars: 3, threshold_bps: 0, order_value: 501 }
  lab.runStrategy('momentum', { ...own, instrument: 'BTCUSDT' })
  for (const price of [50_000, 49_990, 49_980, 49_970]) second(lab, price)
  expect(held(lab)).toEqual({})
  for (const price of [50_100, 50_200]) second(lab, price)
  expect(held(lab)).toEqual({ BTCUSDT: 997 })
  for (const price of [49_000, 48_900]) second(lab, price)
  expect(held(lab)).toEqual({})
  expect(denied(lab)).toEqual([])
})

test('[STRAT-32] mean reversion on spot buys below the mean and does nothing above it', () => {
  const lab = createLab()
  const own = { window_bars: 5, entry_score: 2, exit_score: 0.5, min_edge_bps: 1, order_value: 501 }
  lab.runStrategy('mean_reversion', { ...own, instrument: 'BTCUSDT' })
  for (const price of [50_000, 50_010, 49_990, 50_000, 50_010, 50_200]) second(lab, price)
  lab.quote({ bid: 50_200 })
  expect(lab.state.orders.nextNumber).toBe(1)
  for (const price of [50_000, 50_010, 49_990, 50_000, 50_010, 49_800]) second(lab, price)
  lab.quote({ bid: 49_800 })
  expect(held(lab).BTCUSDT).toBeGreaterThan(0)
})

test('[STRAT-33] market making on spot sells only what it holds, around half of its maximum inventory', () => {
  const lab = createLab()
  const own = { half_spread_bps: 10, requote_bps: 2, requote_s: 5, skew_bps: 10 }
  lab.runStrategy('market_making', {
    ...own,
    instrument: 'BTCUSDT',
    order_value: 510,
    max_inventory: 1_100,
  })
  lab.quote({ bid: 50_000, ask: 50_001 })
  expect(workingOn(lab, 'SELL')).toBeUndefined()
  // Without inventory the price is shifted up by skew_bps, to buy sooner.
  expect(workingOn(lab, 'BUY')?.price).toBe(5_000_050)
  lab.quote({ bid: 49_940, ask: 49_941 })
  expect(held(lab)).toEqual({ BTCUSDT: 1_019 })
  lab.quote({ bid: 49_940, ask: 49_941 })
  expect(workingOn(lab, 'SELL')).toMatchObject({ quantity: 1_019 })
  lab.quote({ bid: 50_200, ask: 50_201 })
  expect(held(lab)).toEqual({})
  expect(denied(lab)).toEqual([])
})

test('[STRAT-34] arbitrage on spot buys on the cheaper venue and sells where it holds', () => {
  const lab = createLab()
  const instruments = ['BTCUSDT', 'BTCUSDT.BYBIT']
  const id = lab.runStrategy('arbitrage', { instruments, order_value: 501, max_inventory: 1_100 })
  const show = (here: number, there: number) => {
    lab.wait(100)
    lab.quote({ instrument: 'BTCUSDT', bid: here, ask: here + 1 })
    lab.quote({ instrument: 'BTCUSDT.BYBIT', bid: there, ask: there + 1 })
  }
  show(50_000, 50_040)
  expect(held(lab)).toEqual({})
  for (let count = 0; count < 8; count++) show(50_000, 50_100)
  expect(held(lab)).toEqual({ BTCUSDT: 2_199 })
  for (let count = 0; count < 8; count++) show(50_100, 50_000)
  expect(held(lab)).toEqual({ 'BTCUSDT.BYBIT': 2_199 })
  expect(denied(lab)).toEqual([])
  const result = lab.state.positions.results.get(id)
  expect(Number(printMoney(result?.realised ?? NO_MONEY))).toBeGreaterThan(0)
})

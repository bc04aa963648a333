import { createBacktest, createInstruments, idFrom, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { expect, test } from 'vitest'
import { runNodeBacktest } from '#testkit/node-backtest.ts'

// The step of `npm test` that installs NautilusTrader sets it; without it these tests are not run (vitest.config.ts).
const python = process.env.BINNACLE_NAUTILUS_PYTHON ?? 'python3'

const BTC = 'BTCUSDT-PERP'
const ORDER_VALUE = 1_000

test('[BT-62] momentum makes the same trades in both engines; funding and the last mark explain the difference', async () => {
  const instrument = standardInstruments().get(idFrom(BTC))
  const bars = walkBars({ instrument: BTC, rows: 1_500, seed: 5 })
  const terms = { capital: 100_000, slippageBps: 0.5 }
  const config = { fast_bars: 5, slow_bars: 20, threshold_bps: 0, order_value: ORDER_VALUE }
  const made = createBacktest({
    ...terms,
    instruments: createInstruments([instrument]),
    bars: [bars],
    strategy: { type: 'momentum', config: { ...config, instrument: BTC, interval: '1m' } },
    limits: { maxOrderSize: 1e5, maxPositionSize: 1e5, maxDailyLoss: 1e5, maxPositions: 10 },
    latencyMs: 0,
    seed: 1,
  })
  if (!made.ok) throw new Error(made.reason.code)
  made.value.advance(bars.length)
  const ours = made.value.report()
  const strategy = { type: 'momentum', config }
  const theirs = await runNodeBacktest(python, {
    ...terms,
    instruments: [instrument],
    bars: [bars],
    strategy,
  })

  expect(ours.statistics.trades).toBeGreaterThan(50)
  expect([theirs.orders, theirs.trades_total]).toEqual([ours.orders, ours.statistics.trades])
  expect(theirs.trades.map(({ side }) => side)).toEqual(ours.trades.map(({ side }) => side))
  // Before fees: that of an order which closes one position and opens the next belongs to the next with us, to both there.
  for (const [nth, { pnl, fees, funding }] of ours.trades.entries()) {
    const trade = theirs.trades[nth]
    expect((trade?.pnl ?? 0) + (trade?.fees ?? 0), `trade ${nth}`).toBeCloseTo(pnl + fees - funding, 6)
  }
  // NautilusTrader pays no funding.
  // The open position is marked at the middle by us, at the closing side of the spread by NautilusTrader.
  const halfSpread = (ORDER_VALUE * terms.slippageBps) / 10_000
  expect(ours.openPositions).toBe(1)
  expect(ours.finalEquity - ours.statistics.funding - theirs.final_equity).toBeCloseTo(halfSpread, 3)
})

import { expect, test } from 'vitest'
import { backtests } from './backtests.ts'

const asked = {
  strategy: { type: 'momentum', config: {} },
  instrument: 'BTCUSDT',
  from: '2026-01-01T00:00:00Z',
  to: '2026-02-01T00:00:00Z',
}

test.each([
  ['a field that is not known', { leverage: 3 }],
  ['a negative slippage', { slippage_bps: -1 }],
  ['a fee of more than a tenth', { fees: { maker_bps: 0, taker_bps: 1_001 } }],
  ['no capital', { initial_cash: 0 }],
  ['a capital beyond a billion', { initial_cash: 1_000_000_001 }],
  ['an interval that is not recorded', { interval: '1s' }],
  ['a latency of an hour', { latency_ms: 3_600_000 }],
  ['a seed that is no whole number', { seed: 0.5 }],
  ['nine instruments', { instruments: Array(9).fill('BTCUSDT') }],
  ['a strategy of no known kind', { strategy: { type: 'astrology', config: {} } }],
])('[BT-2] a request with %s is refused', (_, change) => {
  expect(backtests.start.body.safeParse(asked).success).toBe(true)
  expect(backtests.start.body.safeParse({ ...asked, ...change }).success).toBe(false)
})

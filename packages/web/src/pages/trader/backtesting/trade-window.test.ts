import { expect, test } from 'vitest'
import { marksOf, windowOf } from './trade-window.ts'

const trade = {
  instrument: 'BTCUSDT',
  side: 'SHORT',
  opened_at: '2026-01-05T00:00:00.000Z',
  closed_at: '2026-01-05T01:00:00.000Z',
  quantity: 1,
  entry_price: 10,
  exit_price: 11,
  fees: 0,
  funding: 0,
  pnl: -1,
}

test('[BT-31] the bars of a trade begin before it and end after it, within a bound', () => {
  expect(windowOf(trade, '5m')).toEqual({ before: '2026-01-05T02:40:00.000Z', limit: 92 })
  expect(windowOf({ ...trade, closed_at: '2026-03-05T01:00:00.000Z' }, '1m').limit).toBe(1_000)
})

test('[BT-31] a short trade is sold and then bought, with its P&L at the exit', () => {
  const other = { ...trade, instrument: 'ETHUSDT' }
  const at = Date.parse(trade.opened_at) / 1000
  expect(marksOf([other, trade], 'BTCUSDT', (pnl) => `${pnl} USD`)).toEqual([
    { id: '1 open', time: at, side: 'sell' },
    { id: '1 close', time: at + 3_600, side: 'buy', tone: 'down', text: '-1 USD' },
  ])
  const [, gained] = marksOf([{ ...trade, pnl: 1 }], 'BTCUSDT', String)
  expect(gained).toMatchObject({ side: 'buy', tone: 'up' })
})

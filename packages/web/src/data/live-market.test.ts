import type { MarketQuote } from '@binnacle/contract'
import { expect, test } from 'vitest'
import { joinQuote, joinTrades } from './live-market.ts'

const polled: MarketQuote = {
  instrument: 'BTCUSDT',
  venue: 'BINANCE',
  bid: 99,
  ask: 101,
  at: '2026-01-05T10:00:01.000Z',
  last: 100,
  open_24h: 80,
  high_24h: 110,
  low_24h: 79,
  change_percent: 25,
  volume_24h: 5,
  spark: [80, 90, 100],
}
const live = { instrument: 'BTCUSDT', bid: 119, ask: 121, last: 120, at: '2026-01-05T10:00:02.000Z' }

test('[MKT-44] a later quote of the stream replaces the price, and the last 24 hours follow it', () => {
  expect(joinQuote(polled, live)).toEqual({
    ...polled,
    ...live,
    high_24h: 120,
    change_percent: 50,
    spark: [80, 90, 120],
  })
  expect(joinQuote(polled, live)).toBe(joinQuote(polled, live))
})

test('[MKT-44] an earlier quote of the stream does not undo a poll', () => {
  expect(joinQuote(polled, { ...live, at: '2026-01-05T10:00:00.000Z' })).toBe(polled)
  expect(joinQuote(polled, undefined)).toBe(polled)
})

test('[MKT-35] each trade is shown once, latest first', () => {
  const trade = (id: string, second: number) => ({
    id,
    instrument: 'BTCUSDT',
    price: 100,
    quantity: 1,
    side: 'BUY',
    at: `2026-01-05T10:00:0${second}.000Z`,
  })
  const joined = joinTrades([trade('2', 2), trade('1', 1)], [trade('3', 3), trade('2', 2)])
  expect(joined.map(({ id }) => id)).toEqual(['3', '2', '1'])
})

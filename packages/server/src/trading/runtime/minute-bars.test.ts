import { type InstrumentId, idFrom, instant, type TradeTick } from '@binnacle/engine'
import { expect, test } from 'vitest'
import { MinuteBars } from './minute-bars.ts'

const trade = (instrument: string, at: number, price: number) =>
  ({ kind: 'tick', type: 'trade', at, instrument, price, size: 2, aggressor: 'BUY' }) as unknown as TradeTick

test('a minute is handed on once, when it is over, for each instrument by itself', () => {
  const minutes = new MinuteBars()
  minutes.add(trade('BTCUSDT', 1_000, 100))
  minutes.add(trade('BTCUSDT', 59_999, 90))
  minutes.add(trade('ETHUSDT', 30_000, 7))
  expect(minutes.takeFinished(instant(59_999))).toEqual([])
  expect(minutes.takeFinished(instant(60_000))).toMatchObject([
    {
      instrument: idFrom<InstrumentId>('BTCUSDT'),
      start: 0,
      open: 100,
      high: 100,
      low: 90,
      close: 90,
      volume: 4,
    },
    { instrument: idFrom<InstrumentId>('ETHUSDT'), start: 0, open: 7, close: 7, volume: 2 },
  ])
  expect(minutes.takeFinished(instant(61_000))).toEqual([])
})

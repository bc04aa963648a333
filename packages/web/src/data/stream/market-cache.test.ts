import type { StreamTopic } from '@binnacle/contract'
import { expect, test, vi } from 'vitest'
import { marketQueries } from '#data/market-data.ts'
import { createQueryClient } from '#data/query-client.ts'
import { MarketCache } from './market-cache.ts'
import { unionOf } from './market-demand.ts'

function aCache() {
  const client = createQueryClient()
  let write = () => {}
  const cache = new MarketCache(client, (due) => {
    write = due
  })
  const receive = (type: 'snapshot' | 'change', topic: StreamTopic, data: unknown) =>
    cache.apply({ type, seq: 1, topic, data })
  const apply: typeof receive = (...frame) => {
    receive(...frame)
    write()
  }
  return { client, apply, receive, write: () => write() }
}

const bar = (minute: number, close: number) => ({
  instrument: 'BTCUSDT',
  interval: '1m',
  at: `2026-01-05T10:0${minute}:00.000Z`,
  open: 1,
  high: 9,
  low: 1,
  close,
  volume: 1,
})
const trade = (id: string) => ({
  id,
  instrument: 'BTCUSDT',
  price: 1,
  quantity: 1,
  side: 'BUY',
  at: '2026-01-05T10:00:00.000Z',
})

test('[MKT-31] a bar of the same start replaces the one before', () => {
  const { client, apply } = aCache()
  apply('snapshot', 'bars', { bars: [bar(1, 5)] })
  apply('change', 'bars', { bars: [bar(1, 6), bar(2, 7)] })
  const live = client.getQueryData(marketQueries.liveBars('BTCUSDT', '1m').queryKey)
  expect(live?.map(({ close }) => close)).toEqual([6, 7])
})

test('[MKT-31] a bar that comes late has its place by its start', () => {
  const { client, apply } = aCache()
  apply('snapshot', 'bars', { bars: [bar(1, 5), bar(3, 7)] })
  apply('change', 'bars', { bars: [bar(2, 6), bar(1, 9), bar(4, 8)] })
  const live = client.getQueryData(marketQueries.liveBars('BTCUSDT', '1m').queryKey)
  expect(live?.map(({ close }) => close)).toEqual([9, 6, 7, 8])
})

test('[STREAM-282] of the frames of one period each figure is written once, with its latest value', () => {
  const { client, write, receive } = aCache()
  const set = vi.spyOn(client, 'setQueryData')
  receive('change', 'bars', { bars: [bar(1, 5)] })
  receive('change', 'bars', { bars: [bar(1, 6)] })
  receive('change', 'trades', { trades: [trade('1')] })
  write()
  expect(set).toHaveBeenCalledTimes(2)
  const live = client.getQueryData(marketQueries.liveBars('BTCUSDT', '1m').queryKey)
  expect(live?.map(({ close }) => close)).toEqual([6])
  receive('change', 'bars', { bars: [bar(1, 7)] })
  write()
  expect(set).toHaveBeenCalledTimes(3)
})

test('[MKT-31] after a snapshot the history is loaded again, for bars that ended in between', () => {
  const { client, apply } = aCache()
  const reload = vi.spyOn(client, 'invalidateQueries').mockResolvedValue()
  apply('snapshot', 'bars', { bars: [bar(1, 5)] })
  expect(reload).not.toHaveBeenCalled()
  apply('snapshot', 'bars', { bars: [bar(4, 5)] })
  expect(reload).toHaveBeenCalledWith({ queryKey: ['market', 'bars', 'BTCUSDT', '1m'] })
})

test('[MKT-35] trades are kept latest first; a snapshot replaces them', () => {
  const { client, apply } = aCache()
  const ids = () => client.getQueryData(marketQueries.liveTrades('BTCUSDT').queryKey)?.map(({ id }) => id)
  apply('snapshot', 'trades', { trades: [trade('1'), trade('2')] })
  apply('change', 'trades', { trades: [trade('3'), trade('4')] })
  expect(ids()).toEqual(['4', '3', '2', '1'])
  apply('snapshot', 'trades', { trades: [trade('9')] })
  expect(ids()).toEqual(['9'])
})

test('frames of other topics and damaged ones change nothing', () => {
  const { client, apply } = aCache()
  apply('change', 'orders', { changed: [], removed: [] })
  apply('change', 'bars', {})
  expect(client.getQueryCache().findAll({ queryKey: ['market'] })).toEqual([])
})

test('[MKT-43] tabs share what they show', () => {
  expect(unionOf([])).toBeUndefined()
  expect(
    unionOf([
      { instruments: ['A'], intervals: ['1m'] },
      { instruments: ['B', 'A'], intervals: ['1m', '1h'] },
    ]),
  ).toEqual({ instruments: ['A', 'B'], intervals: ['1m', '1h'] })
})

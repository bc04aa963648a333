import type { StreamTopic } from '@binnacle/contract'
import { expect, test, vi } from 'vitest'
import { marketQueries } from '#data/market-data.ts'
import { createQueryClient } from '#data/query-client.ts'
import { MarketCache } from './market-cache.ts'
import { mergeSubscriptions } from './tab-subscription.ts'

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

test('[MKT-305] live bars beyond those that are kept continue the loaded history, without a gap', () => {
  const { client, apply } = aCache()
  const second = (index: number) => ({
    ...bar(0, index),
    interval: '1s',
    at: new Date(Date.UTC(2026, 0, 5, 10) + index * 1_000).toISOString(),
  })
  const { queryKey } = marketQueries.bars({ instrument: 'BTCUSDT', interval: '1s', dataSet: undefined })
  const page = (bars: ReturnType<typeof second>[]) => ({
    instrument: 'BTCUSDT',
    interval: '1s',
    more: true,
    bars,
  })
  client.setQueryData(queryKey, {
    pages: [page([second(-2), second(-1), second(0)]), page([second(-4), second(-3)])],
    pageParams: ['', second(-2).at],
  })
  apply('snapshot', 'bars', { bars: [second(0)] })
  for (let index = 1; index <= 2_000; index++) apply('change', 'bars', { bars: [second(index)] })
  const [latest, older] = client.getQueryData(queryKey)?.pages ?? []
  const live = client.getQueryData(marketQueries.liveBars('BTCUSDT', '1s').queryKey) ?? []
  const shown = [...(older?.bars ?? []), ...(latest?.bars ?? []), ...live].map(({ at }) => at)
  expect(shown).toEqual(Array.from({ length: 2_005 }, (_, index) => second(index - 4).at))
  expect(live.length).toBeLessThanOrEqual(2_000)
})

test('[MKT-305] a history that is to be loaded again stays so', () => {
  const { client, apply } = aCache()
  const { queryKey } = marketQueries.bars({ instrument: 'BTCUSDT', interval: '1m', dataSet: undefined })
  const first = { instrument: 'BTCUSDT', interval: '1m', more: false, bars: [bar(0, 1)] }
  client.setQueryData(queryKey, { pages: [first], pageParams: [''] })
  const minute = (index: number) => ({
    ...bar(0, 1),
    at: new Date(Date.UTC(2026, 0, 6) + index * 60_000).toISOString(),
  })
  apply('snapshot', 'bars', { bars: [minute(0)] })
  apply('snapshot', 'bars', { bars: Array.from({ length: 2_001 }, (_, index) => minute(index)) })
  apply('snapshot', 'bars', { bars: Array.from({ length: 501 }, (_, index) => minute(2_001 + index)) })
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
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
  expect(mergeSubscriptions([])).toBeUndefined()
  expect(
    mergeSubscriptions([
      { instruments: ['A'], intervals: ['1m'] },
      { instruments: ['B', 'A'], intervals: ['1m', '1h'] },
    ]),
  ).toEqual({ instruments: ['A', 'B'], intervals: ['1m', '1h'] })
})

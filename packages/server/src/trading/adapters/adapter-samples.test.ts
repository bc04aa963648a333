import type { LinkStatus } from '@binnacle/engine'
import { expect, test } from 'vitest'
import { createAdapterSamples } from './adapter-samples.ts'

function aLink(given: Partial<LinkStatus>, minutes: (number | null)[]): LinkStatus {
  return {
    venue: 'BINANCE',
    mode: 'simulated',
    state: 'connected',
    tries: 0,
    nextTryAt: null,
    reconnects: 0,
    lastMessageAt: null,
    messagesPerSecond: 0,
    skewMs: null,
    latency: { p50: 1, p95: 2, minutes, histogram: [] },
    log: [],
    ...given,
  }
}

test('[ADAPT-26] the median round trip of the last minute of each connected adapter is recorded', async () => {
  let nowMs = 0
  let isAnswering = true
  const silence = Promise.withResolvers<LinkStatus[]>()
  const links = [
    aLink({}, [null, 40, 38]),
    aLink({ venue: 'OKX' }, [40, null]),
    aLink({ venue: 'COINBASE', state: 'off' }, [40, 41]),
  ]
  const list = async () => (isAnswering ? links : silence.promise)
  const source = createAdapterSamples({ list }, () => nowMs)
  const recordedAt = async (second: number) => {
    nowMs = second * 1_000
    source.read()
    // The engine answers in a later turn.
    await new Promise(setImmediate)
    return [...source.read().values]
  }
  expect(await recordedAt(0)).toEqual([['adapter.binance.latency', 38]])
  isAnswering = false
  expect(await recordedAt(29)).toEqual([['adapter.binance.latency', 38]])
  expect(await recordedAt(30)).toEqual([])
  silence.resolve([aLink({ venue: 'OKX' }, [52])])
  expect(await recordedAt(31)).toEqual([['adapter.okx.latency', 52]])
})

import { type InstrumentId, idFrom } from '@binnacle/engine'
import { expect, test } from 'vitest'
import { aTrade } from '#testkit/market.ts'
import { BarTracks, type TrackedBar } from './bar-tracks.ts'
import type { ChartPage } from './chart-bars.ts'

const key = { instrument: idFrom<InstrumentId>('BTCUSDT'), interval: '1m' } as const
const none = new Float64Array()
const nothing: ChartPage = {
  bars: { ...key, length: 0, start: none, open: none, high: none, low: none, close: none, volume: none },
  more: false,
}

test('[STREAM-24] a bar whose reading failed is read again at the next trade, and the failure is logged once', async () => {
  const faults: unknown[] = []
  const sent: TrackedBar[] = []
  const answers = [
    () => Promise.reject(new Error('busy')),
    () => Promise.reject(new Error('busy')),
    () => Promise.resolve(nothing),
  ]
  let reads = 0
  const tracks = new BarTracks({
    read: () => answers[reads++]?.() ?? Promise.reject(new Error('read once too often')),
    onBars: (bars) => sent.push(...bars),
    onFault: (fault) => faults.push(fault),
  })
  const trade = async (number: number) => {
    tracks.take([{ ...aTrade(60_000 + number, 100 + number), number }])
    await new Promise(setImmediate)
  }
  tracks.follow([key])
  await new Promise(setImmediate)
  for (let number = 1; number <= 4; number++) await trade(number)
  expect(reads).toBe(3)
  expect(faults).toHaveLength(1)
  expect(sent).toMatchObject([
    { instrument: 'BTCUSDT', close: 103 },
    { instrument: 'BTCUSDT', close: 104 },
  ])
})

import { notifyManager, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createQueryClient } from '#data/query-client.ts'
import { createFrameScheduler, createMarketScheduler } from './write-schedulers.ts'

const KEY = ['figure']

/** A client whose figure a screen shows, and the values that the screen rendered. */
function aScreen() {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const client = createQueryClient()
  const shown: unknown[] = []
  const observer = new QueryObserver(client, { queryKey: KEY, enabled: false })
  // As useQuery subscribes.
  const render = notifyManager.batchCalls(() => shown.push(client.getQueryData(KEY)))
  onTestFinished(observer.subscribe(render))
  return { client, shown }
}

/** Its own: a pause after a slow frame would delay the frames of other tests. */
let paintSoon = createFrameScheduler()
beforeEach(() => {
  paintSoon = createFrameScheduler()
})

test('[STREAM-57] screens get what is written for a frame before the frame is painted', async () => {
  const { client, shown } = aScreen()
  paintSoon(() => {
    client.setQueryData(KEY, 1)
    client.setQueryData(KEY, 2)
  })
  expect(shown).toEqual([])
  vi.advanceTimersToNextFrame()
  await Promise.resolve()
  expect(shown.at(-1)).toBe(2)
})

test('[STREAM-57] what others write is left to their own time, also after a write that failed', async () => {
  const { client, shown } = aScreen()
  paintSoon(() => {
    throw new Error('broken')
  })
  expect(() => vi.advanceTimersToNextFrame()).toThrow('broken')
  client.setQueryData(KEY, 1)
  await Promise.resolve()
  expect(shown).toEqual([])
  vi.advanceTimersByTime(0)
  expect(shown).toEqual([1])
})

/** A clock that a write moves on by as long as its frame takes. */
function aSlowClock() {
  let extraMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + extraMs)
  onTestFinished(() => clock.mockRestore())
  return {
    take: (ms: number) => {
      extraMs += ms
    },
  }
}

/** How long a schedule waits with a write, in steps of 1 ms. */
function waitOf(schedule: (write: () => void) => void): number {
  let isWritten = false
  schedule(() => {
    isWritten = true
  })
  vi.advanceTimersByTime(0)
  let waitedMs = 0
  for (; !isWritten; waitedMs++) vi.advanceTimersByTime(1)
  return waitedMs
}

test.each([
  [16, 0],
  [40, 40],
  [400, 100],
])('[STREAM-262] a frame of %i ms is followed by %i ms without a write', (frameMs, pauseMs) => {
  aScreen()
  const clock = aSlowClock()
  paintSoon(() => clock.take(frameMs))
  vi.advanceTimersToNextFrame()
  vi.advanceTimersByTime(0)
  const waitedMs = waitOf(paintSoon)
  expect(waitedMs).toBeGreaterThan(pauseMs)
  // The first frame after the pause.
  expect(waitedMs).toBeLessThanOrEqual(pauseMs + 2 * 16)
})

test('[STREAM-282] market data is written at once after a rest, and then every 150 ms', () => {
  aScreen()
  const paintMarket = createMarketScheduler()
  expect(waitOf(paintMarket)).toBe(0)
  expect(waitOf(paintMarket)).toBe(150)
  expect(waitOf(paintMarket)).toBe(150)
  vi.advanceTimersByTime(1_000)
  expect(waitOf(paintMarket)).toBe(0)
})

test('[STREAM-282] market data that takes long to paint is followed by a pause', () => {
  aScreen()
  const clock = aSlowClock()
  const paintMarket = createMarketScheduler()
  paintMarket(() => clock.take(400))
  vi.advanceTimersByTime(0)
  vi.advanceTimersToNextFrame()
  // The timer that a frame sets.
  vi.advanceTimersByTime(1)
  expect(waitOf(paintMarket)).toBe(100)
})

test('[STREAM-282] a chart draws in the frame that shows the figures beside it', async () => {
  const { client, shown } = aScreen()
  const drawn: unknown[] = []
  createMarketScheduler()(() => {
    client.setQueryData(KEY, 1)
    requestAnimationFrame(() => drawn.push(client.getQueryData(KEY)))
  })
  vi.advanceTimersByTime(0)
  await Promise.resolve()
  expect([shown, drawn]).toEqual([[1], []])
  vi.advanceTimersToNextFrame()
  expect(drawn).toEqual([1])
})

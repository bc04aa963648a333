import { notifyManager, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createQueryClient } from '#data/query-client.ts'
import { createPaintSoon } from './paint-soon.ts'

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
let paintSoon = createPaintSoon()
beforeEach(() => {
  paintSoon = createPaintSoon()
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

/** Writes in a frame that takes so long, and returns how long after it the next write waits. */
function pauseAfter(frameMs: number): number {
  let now = 1_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  paintSoon(() => {
    now += frameMs
  })
  vi.advanceTimersToNextFrame()
  vi.advanceTimersByTime(0)
  const painted = now
  let isWritten = false
  paintSoon(() => {
    isWritten = true
  })
  while (!isWritten) {
    vi.advanceTimersToNextFrame()
    now += 1
  }
  clock.mockRestore()
  return now - painted - 1
}

test.each([
  [16, 0],
  [40, 40],
  [400, 100],
])('[STREAM-262] a frame of %i ms is followed by %i ms without a write', (frameMs, pauseMs) => {
  aScreen()
  expect(pauseAfter(frameMs)).toBe(pauseMs)
})

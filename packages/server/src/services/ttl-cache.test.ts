import { expect, test } from 'vitest'
import { createTtlCache } from './ttl-cache.ts'

function newCache(ttlMs: number) {
  const state = { ttlMs, nowMs: 0, loads: 0 }
  const cache = createTtlCache(
    () => state.ttlMs,
    () => state.nowMs,
  )
  const load = (key = 'a') => cache.get([key, 'rows'], () => ++state.loads)
  return { state, cache, load }
}

test('[SET-21] a value is used until it is as old as the time to live', async () => {
  const { state, load } = newCache(1000)
  expect([await load(), await load()]).toEqual([1, 1])
  state.nowMs = 999
  expect(await load()).toBe(1)
  state.nowMs = 1000
  expect(await load()).toBe(2)
})

test('[SET-21] a changed time to live counts at once, and 0 caches nothing', async () => {
  const { state, load } = newCache(1000)
  await load()
  state.nowMs = 500
  state.ttlMs = 400
  expect(await load()).toBe(2)
  state.ttlMs = 0
  expect([await load(), await load()]).toEqual([3, 4])
})

test('what changed is read again, and what did not stays', async () => {
  const { cache, load } = newCache(1000)
  expect([await load('a'), await load('ab')]).toEqual([1, 2])
  cache.invalidate('a')
  expect([await load('a'), await load('ab')]).toEqual([3, 2])
  cache.clear()
  expect(await load('ab')).toBe(4)
})

test('neither a failure nor a value from before a change is cached', async () => {
  const { cache, load } = newCache(1000)
  await expect(cache.get(['a', 'rows'], () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  const { promise, resolve } = Promise.withResolvers<number>()
  const slow = cache.get(['a', 'rows'], () => promise)
  cache.invalidate('a')
  resolve(77)
  expect(await slow).toBe(77)
  expect(await load()).toBe(1)
  const unkept = cache.get(
    ['b'],
    () => 5,
    () => false,
  )
  expect(await unkept).toBe(5)
  expect(await cache.get(['b'], () => 6)).toBe(6)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat } from './repeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [
    'throws',
    () => {
      throw new Error('no space')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no space'))],
])('[ENGINE-301] work that %s is reported once and runs again', async (_, fails) => {
  let runs = 0
  let isBroken = true
  const faults: string[] = []
  const stop = repeat(
    10,
    () => {
      runs += 1
      return isBroken ? fails() : undefined
    },
    (message) => faults.push(message),
  )
  await vi.advanceTimersByTimeAsync(30)
  expect([runs, faults]).toEqual([3, ['no space']])
  isBroken = false
  await vi.advanceTimersByTimeAsync(10)
  isBroken = true
  await vi.advanceTimersByTimeAsync(10)
  expect([runs, faults]).toEqual([5, ['no space', 'no space']])
  stop()
  await vi.advanceTimersByTimeAsync(30)
  expect(runs).toBe(5)
})

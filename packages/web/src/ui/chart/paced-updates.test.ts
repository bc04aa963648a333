import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PacedUpdates } from './paced-updates.ts'

let applied: number[]
let updates: PacedUpdates<number>

beforeEach(() => {
  vi.useFakeTimers()
  applied = []
  updates = new PacedUpdates((value: number) => applied.push(value))
})

afterEach(() => {
  vi.useRealTimers()
})

test('[MKT-56] a long chart takes the latest bars once a second', () => {
  updates.applyNow(1)
  updates.applySoon(2)
  updates.applySoon(3)
  vi.advanceTimersByTime(999)
  expect(applied).toEqual([1])
  vi.advanceTimersByTime(1)
  expect(applied).toEqual([1, 3])
  vi.advanceTimersByTime(5_000)
  expect(applied).toEqual([1, 3])
})

test('[MKT-56] it takes none while it is moved, and the latest as soon as it stands still', () => {
  updates.applyNow(1)
  vi.advanceTimersByTime(1_000)
  for (let moves = 0; moves < 30; moves++) {
    updates.noteMovement()
    updates.applySoon(moves)
    vi.advanceTimersByTime(100)
  }
  expect(applied).toEqual([1])
  vi.advanceTimersByTime(250)
  expect(applied).toEqual([1, 29])
})

test('[MKT-56] bars that are set at once replace those that wait; a removed chart takes none', () => {
  updates.applyNow(1)
  updates.applySoon(2)
  updates.applyNow(3)
  vi.advanceTimersByTime(5_000)
  expect(applied).toEqual([1, 3])
  updates.applySoon(4)
  updates.cancel()
  vi.advanceTimersByTime(5_000)
  expect(applied).toEqual([1, 3])
})

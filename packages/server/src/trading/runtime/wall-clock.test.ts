import { expect, test } from 'vitest'
import { createWallClock } from './wall-clock.ts'

function aClock() {
  const machine = { shows: 10_000_000, elapsed: 0 }
  const clock = createWallClock(
    () => machine.shows,
    () => machine.elapsed,
  )
  const after = (ms: number, setBy = 0) => {
    machine.elapsed += ms
    machine.shows += ms + setBy
    return Number(clock.now())
  }
  return { after }
}

test('time is what the clock of the machine shows, also after it was set forward', () => {
  const { after } = aClock()
  expect(after(0)).toBe(10_000_000)
  expect(after(20)).toBe(10_000_020)
  expect(after(20, 3_600_000)).toBe(13_600_040)
})

test('after the clock was set back an hour, time goes on at half its pace until the clock is there', () => {
  const { after } = aClock()
  expect(after(100, -3_600_000)).toBe(10_000_050)
  expect(after(20)).toBe(10_000_060)
  expect(after(1)).toBe(10_000_060)
  expect(after(1)).toBe(10_000_061)
  expect(after(7_199_778)).toBe(13_599_950)
  expect(after(1_000)).toBe(13_600_900)
  expect(after(1_000)).toBe(13_601_900)
})

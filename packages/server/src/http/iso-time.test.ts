import { createRandom } from '@binnacle/engine'
import { expect, test } from 'vitest'
import { isoTime } from './iso-time.ts'

test('formats an instant as a date does, in any order', () => {
  const random = createRandom(17)
  const near = Date.UTC(2026, 10, 19, 13, 28, 41, 998)
  for (let step = 0; step < 2_000; step++) {
    const ms = near + Math.round((random.uniform() - 0.5) * 4_000)
    expect(isoTime(ms)).toBe(new Date(ms).toISOString())
  }
})

test.each([0, 999, 1_000, -1, -1_000, Date.UTC(1969, 0), Date.UTC(9999, 11, 31), Date.UTC(12026, 0)])(
  'formats %d as a date does',
  (ms) => expect(isoTime(ms)).toBe(new Date(ms).toISOString()),
)

test.each([Number.NaN, Number.POSITIVE_INFINITY, 9e15])('refuses %d each time, which is no instant', (ms) => {
  expect(() => isoTime(ms)).toThrow(RangeError)
  expect(() => isoTime(ms)).toThrow(RangeError)
})

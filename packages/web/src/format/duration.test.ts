import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.each([
  [-5, '0 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [3_780_000, '1 h 3 min'],
  [86_399_000, '23 h 59 min'],
  [86_400_000, '1 d'],
  [1_287_900_000, '14 d 21 h'],
])('[BT-145] %d ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

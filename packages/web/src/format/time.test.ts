import { describe, expect, test } from 'vitest'
import { formatInstant, formatTimeUtc } from './time.ts'

describe('times', () => {
  test('an instant is shown in UTC, whatever zone it was written in', () => {
    expect(formatInstant('2026-01-05T14:02:11+02:00')).toBe('2026-01-05 12:02:11 UTC')
    expect(formatTimeUtc(new Date('2026-01-05T12:02:11Z'))).toBe('12:02:11 UTC')
  })

  test.each(['', 'yesterday', '<b>164', 'backup 3'])('%j is no instant and stays as it is', (text) => {
    expect(formatInstant(text)).toBe(text)
  })
})

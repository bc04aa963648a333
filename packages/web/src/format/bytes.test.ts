import { describe, expect, test } from 'vitest'
import { formatBytes, formatKilobytes } from './bytes.ts'

describe('sizes', () => {
  test.each([
    [0, '0 B'],
    [512, '512 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [20_480, '20 KB'],
    [1_047_552, '1023 KB'],
    [1_048_576, '1 MB'],
    [5_505_024, '5.25 MB'],
    [3_221_225_472, '3072 MB'],
  ])('[FMT-3] %i bytes read %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  test.each([
    [512, '0.5 KB'],
    [1_536_512, '1500.5 KB'],
    [5_505_024, '5376 KB'],
    [1_234_567, '1205.63 KB'],
  ])('[DB-21] %i bytes of a new backup read %s, in KB and with two decimals at most', (bytes, text) => {
    expect(formatKilobytes(bytes)).toBe(text)
  })
})

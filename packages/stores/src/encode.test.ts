import { expect, test } from 'vitest'
import { distinctColumns, encodeValue, rowOf } from './encode.ts'

test.each([
  [null, null],
  [undefined, null],
  [7n, 7],
  [9_007_199_254_740_991n, 9_007_199_254_740_991],
  [9_007_199_254_740_992n, '9007199254740992'],
  [-9_007_199_254_740_992n, '-9007199254740992'],
  [1.5, 1.5],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  ['text', 'text'],
  [true, true],
  [new Date('2026-01-02T03:04:05.678Z'), '2026-01-02T03:04:05.678Z'],
  [
    [1n, [2n ** 60n]],
    [1, ['1152921504606846976']],
  ],
  [{ a: { b: 1n } }, { a: { b: 1 } }],
  [new Uint8Array([0, 255]), { $blob: 'AP8=', bytes: 2 }],
])('[CALL-29] %s', (value, encoded) => {
  expect(encodeValue(value)).toEqual(encoded)
})

test('[CALL-29] a screen gets the first KiB of a blob', () => {
  const blob = new Uint8Array(5000)
  const bytesIn = (encoded: unknown) => Buffer.from(Object(encoded).$blob, 'base64').length
  expect([bytesIn(encodeValue(blob)), Object(encodeValue(blob)).bytes]).toEqual([1024, 5000])
})

test('[CALL-30] repeated names are suffixed, and never with a name that is there', () => {
  const names = ['a', 'a', 'a_2', 'a', '__proto__', '__proto__']
  const columns = distinctColumns(names.map((name) => ({ name, type: null })))
  expect(columns.map(({ name }) => name)).toEqual(['a', 'a_2', 'a_2_2', 'a_3', '__proto__', '__proto___2'])
  expect(Object.keys(rowOf(columns, [1, 2, 3, 4, 5, 6])).length).toBe(6)
})

import { describe, expect, it } from 'vitest'
import { cellText, isLong, sortValue } from './cell-text.ts'

describe('values of a row', () => {
  it.each([
    ['text', 'text'],
    ['9007199254740993', '9007199254740993'],
    [1.5, '1.5'],
    [true, 'true'],
    [undefined, ''],
    [['a', 1], '["a",1]'],
    [{ a: { b: null } }, '{"a":{"b":null}}'],
    [{ $blob: 'AAEC', bytes: 2048 }, 'blob, 2 KB'],
  ])('[DB-14] %j reads %s', (value, text) => {
    expect(cellText(value)).toBe(text)
  })

  it('numbers sort as numbers, null as nothing and the rest as text', () => {
    expect([2, null, [1], true].map(sortValue)).toEqual([2, null, '[1]', 'true'])
  })

  it('a text is long when it needs more than a line of a cell', () => {
    expect(isLong('x'.repeat(44))).toBe(false)
    expect(isLong('x'.repeat(45))).toBe(true)
    expect(isLong('two\nlines')).toBe(true)
  })
})

import { describe, expect, test } from 'vitest'
import { cellText, columnNames, isLong, isNumeric, sortValue } from './cells.ts'

describe('values of a row', () => {
  test.each([
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

  test('numbers sort as numbers, null stays null, the rest sorts as text', () => {
    expect([2, null, [1], true].map(sortValue)).toEqual([2, null, '[1]', 'true'])
  })

  test('a text is long when it needs more than a line of a cell', () => {
    expect(isLong('x'.repeat(44))).toBe(false)
    expect(isLong('x'.repeat(45))).toBe(true)
    expect(isLong('two\nlines')).toBe(true)
  })
})

describe('columns of a result', () => {
  test('columns come in the order of the reply, then of the rows, each once', () => {
    expect(columnNames([{ b: 1, c: 2 }, { d: 3 }], [{ name: 'a' }, { name: 'b' }])).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
  })

  test('columns come from the rows alone if the reply has none', () => {
    expect(columnNames([{ id: 1 }, { id: 2, note: 'x' }])).toEqual(['id', 'note'])
  })

  test('are numeric if they contain only numbers', () => {
    expect(isNumeric([{ a: 1 }, { a: null }, {}], 'a')).toBe(true)
    expect(isNumeric([{ a: 1 }, { a: '1' }], 'a')).toBe(false)
    expect(isNumeric([{ a: null }], 'a')).toBe(false)
  })
})

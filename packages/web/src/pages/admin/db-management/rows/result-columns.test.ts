import { describe, expect, it } from 'vitest'
import { columnNames, isNumeric } from './result-columns.ts'

describe('columns of a result', () => {
  it('come in the order told, then in that of the rows, each once', () => {
    expect(columnNames([{ b: 1, c: 2 }, { d: 3 }], [{ name: 'a' }, { name: 'b' }])).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
  })

  it('come from the rows alone when the backend tells none', () => {
    expect(columnNames([{ id: 1 }, { id: 2, note: 'x' }])).toEqual(['id', 'note'])
  })

  it('are numeric when they hold numbers and nothing else', () => {
    expect(isNumeric([{ a: 1 }, { a: null }, {}], 'a')).toBe(true)
    expect(isNumeric([{ a: 1 }, { a: '1' }], 'a')).toBe(false)
    expect(isNumeric([{ a: null }], 'a')).toBe(false)
  })
})

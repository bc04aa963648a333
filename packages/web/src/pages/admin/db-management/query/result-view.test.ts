import { describe, expect, it } from 'vitest'
import { rowsOf, wordsOf } from './result-view.ts'

const done = { success: true, execution_time: 0.1 } as const

describe('the result of a query', () => {
  it('[DB-14] has a table for rows, and for none when the columns are known', () => {
    expect(rowsOf({ ...done, rows: [{ a: 1 }] })).toEqual([{ a: 1 }])
    expect(rowsOf({ ...done, rows: [], columns: [{ name: 'a' }] })).toEqual([])
    expect(rowsOf({ ...done, rows: [] })).toBeUndefined()
    expect(rowsOf({ ...done, rows: null })).toBeUndefined()
  })

  it.each([
    [{ message: 'Table created', rows_affected: 3 }, 'Table created'],
    [{ rows_affected: 1 }, '1 row affected'],
    [{ rows_affected: 1200 }, '1,200 rows affected'],
    [{ rows: [] }, 'No rows'],
    [{ rows: [{ a: 1 }] }, undefined],
  ])('[DB-14] %j reads %s', (told, words) => {
    expect(wordsOf({ ...done, ...told })).toBe(words)
  })
})

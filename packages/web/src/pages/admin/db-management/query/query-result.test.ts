import { describe, expect, test } from 'vitest'
import { messageOf, rowsOf } from './query-result.tsx'

const done = { success: true, execution_time: 0.1 } as const

describe('the result of a query', () => {
  test('[DB-14] rows are a table; an empty result is one only with known columns', () => {
    expect(rowsOf({ ...done, rows: [{ a: 1 }] })).toEqual([{ a: 1 }])
    expect(rowsOf({ ...done, rows: [], columns: [{ name: 'a' }] })).toEqual([])
    expect(rowsOf({ ...done, rows: [] })).toBeUndefined()
    expect(rowsOf({ ...done, rows: null })).toBeUndefined()
  })

  test.each([
    [{ message: 'Table created', rows_affected: 3 }, 'Table created'],
    [{ rows_affected: 1 }, '1 row affected'],
    [{ rows_affected: 1200 }, '1,200 rows affected'],
    [{ rows: [] }, 'No rows'],
    [{ rows: [{ a: 1 }] }, undefined],
  ])('[DB-14] %j reads %s', (reply, message) => {
    expect(messageOf({ ...done, ...reply })).toBe(message)
  })
})

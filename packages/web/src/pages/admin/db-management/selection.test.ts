import { describe, expect, test } from 'vitest'
import { readSelection, selectConnection, selectTable, writeSelection } from './selection.ts'

const read = (query: string) => readSelection(new URLSearchParams(query))

describe('the selection in the URL', () => {
  test('an empty address is the Tables tab of no connection', () => {
    expect(read('')).toEqual({ connection: undefined, tab: 'tables', table: undefined, pageIndex: 0 })
  })

  test('a written selection is read back', () => {
    const selection = { connection: 'a/b', tab: 'query', table: 'it’s & more', pageIndex: 2 } as const
    expect(read(new URLSearchParams(writeSelection(selection)).toString())).toEqual(selection)
  })

  test.each(['page=0', 'page=-3', 'page=1.5', 'page=many', 'page='])('%s is the first page', (query) => {
    expect(read(query).pageIndex).toBe(0)
  })

  test('an unknown tab is Tables', () => {
    expect(read('tab=drop').tab).toBe('tables')
  })

  test('[DB-3] another connection opens at its tables', () => {
    expect(selectConnection('2')).toEqual({ connection: '2', tab: 'tables', pageIndex: 0 })
  })

  test('[DB-11] another table opens at its first page', () => {
    const selection = { connection: '1', tab: 'tables', table: 'trades', pageIndex: 2 } as const
    expect(selectTable(selection, 'orders')).toEqual({
      connection: '1',
      tab: 'tables',
      table: 'orders',
      pageIndex: 0,
    })
  })
})

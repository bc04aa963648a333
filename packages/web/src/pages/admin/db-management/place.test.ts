import { describe, expect, it } from 'vitest'
import { atConnection, atTable, readPlace, writePlace } from './place.ts'

const read = (query: string) => readPlace(new URLSearchParams(query))

describe('where a person is among the databases', () => {
  it('an empty address is the Tables tab of no connection', () => {
    expect(read('')).toEqual({ connection: undefined, tab: 'tables', table: undefined, pageIndex: 0 })
  })

  it('what is written is read again', () => {
    const place = { connection: 'a/b', tab: 'query', table: 'it’s & more', pageIndex: 2 } as const
    expect(read(new URLSearchParams(writePlace(place)).toString())).toEqual(place)
  })

  it.each(['page=0', 'page=-3', 'page=1.5', 'page=many', 'page='])('%s is the first page', (query) => {
    expect(read(query).pageIndex).toBe(0)
  })

  it('an unknown tab is Tables', () => {
    expect(read('tab=drop').tab).toBe('tables')
  })

  it('[DB-3] another connection begins at its tables', () => {
    expect(atConnection('2')).toEqual({ connection: '2', tab: 'tables', pageIndex: 0 })
  })

  it('[DB-11] another table begins at its first page', () => {
    const place = { connection: '1', tab: 'tables', table: 'trades', pageIndex: 2 } as const
    expect(atTable(place, 'orders')).toEqual({
      connection: '1',
      tab: 'tables',
      table: 'orders',
      pageIndex: 0,
    })
  })
})

import { describe, expect, it } from 'vitest'
import { arrangeRows, toggleSort } from './row-order.ts'

interface Row {
  name: string
  size: number | null
}

const rows: Row[] = [
  { name: 'beta 10', size: 5 },
  { name: 'Alpha', size: null },
  { name: 'beta 9', size: 30 },
]
const columns = [
  { title: 'Name', value: (row: Row) => row.name },
  { title: 'Size', value: (row: Row) => row.size },
  { title: 'Actions' },
]
const names = (arranged: readonly Row[]) => arranged.map(({ name }) => name)

describe('the order of rows', () => {
  it('is the given one, and the same array, when nothing is asked for', () => {
    expect(arrangeRows(rows, columns, { filter: ' ', sort: undefined })).toBe(rows)
  })

  it('filters by any readable column, whatever the case', () => {
    expect(names(arrangeRows(rows, columns, { filter: 'ALPHA', sort: undefined }))).toEqual(['Alpha'])
    expect(names(arrangeRows(rows, columns, { filter: '30', sort: undefined }))).toEqual(['beta 9'])
  })

  it('sorts words with numbers inside them by the number', () => {
    const sort = { title: 'Name', direction: 'ascending' } as const
    expect(names(arrangeRows(rows, columns, { filter: '', sort }))).toEqual(['Alpha', 'beta 9', 'beta 10'])
  })

  it('sorts numbers as numbers, downwards too, and leaves the given array alone', () => {
    const sort = { title: 'Size', direction: 'descending' } as const
    expect(names(arrangeRows(rows, columns, { filter: '', sort }))).toEqual(['beta 9', 'beta 10', 'Alpha'])
    expect(names(rows)).toEqual(['beta 10', 'Alpha', 'beta 9'])
  })

  it('a third click gives the server’s order back', () => {
    const once = toggleSort(undefined, 'Size')
    const twice = toggleSort(once, 'Size')
    expect([once?.direction, twice?.direction, toggleSort(twice, 'Size')]).toEqual([
      'ascending',
      'descending',
      undefined,
    ])
  })
})

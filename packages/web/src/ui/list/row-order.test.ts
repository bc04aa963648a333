import { describe, expect, test } from 'vitest'
import { holdOrder, sortAndFilter, toggleSort } from './row-order.ts'

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
  test('without sort and filter is the given array itself', () => {
    expect(sortAndFilter(rows, columns, { filter: ' ', sort: undefined })).toBe(rows)
  })

  test('filters by any readable column, whatever the case', () => {
    expect(names(sortAndFilter(rows, columns, { filter: 'ALPHA', sort: undefined }))).toEqual(['Alpha'])
    expect(names(sortAndFilter(rows, columns, { filter: '30', sort: undefined }))).toEqual(['beta 9'])
  })

  test('sorts words with numbers inside them by the number', () => {
    const sort = { title: 'Name', direction: 'ascending' } as const
    expect(names(sortAndFilter(rows, columns, { filter: '', sort }))).toEqual(['Alpha', 'beta 9', 'beta 10'])
  })

  test('sorts numbers as numbers, downwards too, and leaves the given array alone', () => {
    const sort = { title: 'Size', direction: 'descending' } as const
    expect(names(sortAndFilter(rows, columns, { filter: '', sort }))).toEqual(['beta 9', 'beta 10', 'Alpha'])
    expect(names(rows)).toEqual(['beta 10', 'Alpha', 'beta 9'])
  })

  test('a third click gives the server’s order back', () => {
    const once = toggleSort(undefined, 'Size')
    const twice = toggleSort(once, 'Size')
    expect([once?.direction, twice?.direction, toggleSort(twice, 'Size')]).toEqual([
      'ascending',
      'descending',
      undefined,
    ])
  })

  test('[SHELL-24] the filter matches what is shown, and every one of several words', () => {
    const prices = [{ price: 1998 }, { price: 1999 }]
    const shown = [{ title: 'Price', value: ({ price }: { price: number }) => price, cell: formatted }]
    expect(sortAndFilter(prices, shown, { filter: '1,998.00', sort: undefined })).toEqual([{ price: 1998 }])
    expect(sortAndFilter(prices, shown, { filter: '1999', sort: undefined })).toEqual([{ price: 1999 }])
    expect(names(sortAndFilter(rows, columns, { filter: '9  BETA', sort: undefined }))).toEqual(['beta 9'])
  })

  test('[ORD-35] a held order keeps its rows in place, and new ones follow', () => {
    expect(holdOrder(['new', 'c', 'a', 'b'], ['a', 'b', 'gone', 'c'], String)).toEqual(['a', 'b', 'c', 'new'])
  })
})

function formatted({ price }: { price: number }): string {
  return price.toLocaleString('en-US', { minimumFractionDigits: 2 })
}

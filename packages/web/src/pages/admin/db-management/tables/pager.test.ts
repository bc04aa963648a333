import { describe, expect, test } from 'vitest'
import { pagingOf, pagingWithoutRows } from './pager.tsx'

const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))

describe('pages of a table', () => {
  test.each([
    [0, 0, '1', false],
    [0, 50, '1', false],
    [0, 51, '2', true],
    [0, 120, '3', true],
    [1, 120, '3', true],
    [2, 120, '3', false],
  ])('[DB-9] [DB-10] page index %i of %i rows is one of %s, next: %s', (pageIndex, total, pages, hasNext) => {
    const paging = pagingOf(pageIndex, { rows: rowsOf(20), total })
    expect(paging).toMatchObject({
      number: pageIndex + 1,
      pages,
      hasNext,
      hasPrevious: pageIndex > 0,
    })
  })

  test('[DB-12] an estimate is marked, and only a short page ends it', () => {
    const estimate = { total: 120, total_is_estimate: true }
    expect(pagingOf(0, { ...estimate, rows: rowsOf(50) })).toMatchObject({ pages: '≈3', hasNext: true })
    expect(pagingOf(2, { ...estimate, rows: rowsOf(50) })).toMatchObject({ pages: '≈3', hasNext: true })
    expect(pagingOf(1, { ...estimate, rows: rowsOf(49) })).toMatchObject({ total: '≈120', hasNext: false })
  })

  test('a page that failed to load still has Prev', () => {
    expect(pagingWithoutRows(1)).toMatchObject({ number: 2, hasPrevious: true, hasNext: false })
  })
})

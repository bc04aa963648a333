import { expect, test } from 'vitest'
import { mergeRows } from './merge-rows.ts'

interface Row {
  id: string
  version: number
}

const aRow = (id: string, version = 0): Row => ({ id, version })
const texts = (rows: readonly Row[]) => rows.map(({ id, version }) => `${id}${version}`)

test('[STREAM-12] rows are replaced in place, and new ones are added where the list has its newest', () => {
  const rows = [aRow('c'), aRow('b'), aRow('a')]
  const changed = [aRow('b', 1), aRow('d'), aRow('e'), aRow('d', 1)]
  expect(texts(mergeRows(rows, { changed, removed: [] }, 'start'))).toEqual(['e0', 'd1', 'c0', 'b1', 'a0'])
  expect(texts(mergeRows(rows, { changed, removed: [] }, 'end'))).toEqual(['c0', 'b1', 'a0', 'd1', 'e0'])
  expect(texts(rows)).toEqual(['c0', 'b0', 'a0'])
})

test.each(['start', 'end'] as const)(
  '[STREAM-12] merges follow one another, newest at the %s',
  (newestAt) => {
    const order = (names: string[]) => (newestAt === 'start' ? names.toReversed() : names)
    const inOrder = (rows: readonly Row[]) => order(texts(rows))
    let rows: readonly Row[] = order(['a', 'b', 'c']).map((id) => aRow(id))
    rows = mergeRows(rows, { changed: [aRow('d')], removed: [] }, newestAt)
    rows = mergeRows(rows, { changed: [aRow('a', 1), aRow('d', 1)], removed: [] }, newestAt)
    expect(inOrder(rows)).toEqual(['a1', 'b0', 'c0', 'd1'])
    rows = mergeRows(
      rows,
      { changed: [aRow('c', 1), aRow('b', 9), aRow('e')], removed: ['b', 'x'] },
      newestAt,
    )
    expect(inOrder(rows)).toEqual(['a1', 'c1', 'd1', 'e0'])
    rows = mergeRows(rows, { changed: [aRow('b', 2), aRow('e', 1), aRow('a', 2)], removed: [] }, newestAt)
    expect(inOrder(rows)).toEqual(['a2', 'c1', 'd1', 'e1', 'b2'])
  },
)

test('[STREAM-261] a change of a list that was merged before reads none of the rows that it leaves alone', () => {
  let read = 0
  const countedRow = (id: string) => ({
    get id() {
      read += 1
      return id
    },
  })
  const rows = Array.from({ length: 1_000 }, (_, index) => countedRow(`O-${1_000 - index}`))
  const merged = mergeRows(rows, { changed: [{ id: 'O-1001' }], removed: [] }, 'start')
  read = 0
  const next = mergeRows(merged, { changed: [{ id: 'O-500' }, { id: 'O-1002' }], removed: [] }, 'start')
  expect(read).toBe(0)
  expect([next.length, next[0]?.id, next.at(-500)?.id]).toEqual([1_002, 'O-1002', 'O-500'])
})

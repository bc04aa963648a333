import type { Page, PageRequest } from '@binnacle/stores'
import { expect, test } from 'vitest'
import { createPageKeyCache } from './page-key-cache.ts'

const PAGE: PageRequest = { table: 'trades', limit: 50, offset: 100 }

test('[STORE-8] the pages beside one that was served are found by its first and last key', () => {
  const cache = createPageKeyCache()
  cache.set('1', PAGE, served(50, [101], [150]))
  expect(cache.anchorOf('1', { ...PAGE, offset: 150 })).toEqual({ key: [150], side: 'after' })
  expect(cache.anchorOf('1', { ...PAGE, offset: 50 })).toEqual({ key: [101], side: 'before' })
})

test.each([
  ['another connection', '2', { offset: 150 }],
  ['another table', '1', { offset: 150, table: 'orders' }],
  ['another filter', '1', { offset: 150, filter: { column: 'a', operator: 'eq', value: '1' } }],
  ['a sort, which has no key', '1', { offset: 150, sort: { column: 'a', descending: false } }],
  ['an offset that is not beside it', '1', { offset: 151 }],
  ['the page before, of another length', '1', { offset: 60, limit: 30 }],
  ['the first page, which needs none', '1', { offset: 0, limit: 100 }],
] as const)('knows nothing of %s', (_, connection, other) => {
  const memory = createPageKeyCache()
  memory.set('1', PAGE, served(50, [101], [150]))
  expect(memory.anchorOf(connection, { ...PAGE, ...other })).toBeUndefined()
})

test('a key is trusted for a minute, and no longer after a write', () => {
  let nowMs = 0
  const memory = createPageKeyCache(() => nowMs)
  memory.set('1', PAGE, served(50, [101], [150]))
  nowMs = 59_999
  expect(memory.anchorOf('1', { ...PAGE, offset: 150 })).toBeDefined()
  nowMs = 60_000
  expect(memory.anchorOf('1', { ...PAGE, offset: 150 })).toBeUndefined()
  memory.set('1', PAGE, served(50, [101], [150]))
  memory.set('11', PAGE, served(50, [101], [150]))
  memory.invalidate('1')
  expect(memory.anchorOf('1', { ...PAGE, offset: 150 })).toBeUndefined()
  expect(memory.anchorOf('11', { ...PAGE, offset: 150 })).toBeDefined()
})

function served(count: number, firstKey: number[], lastKey: number[]): Page {
  const rows = Array.from({ length: count }, () => ({}))
  return { columns: [], rows, total: 1000, totalIsEstimate: false, firstKey, lastKey }
}

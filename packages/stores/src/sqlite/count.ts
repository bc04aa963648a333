import type { Condition } from './filter.ts'
import type { SqliteStore } from './store.ts'
import { quoteName, type TableShape } from './tables.ts'

/** Above this many rows counting is too slow, and the range of rowids, bounded by the file's size, is the estimate. */
const MAX_COUNTED_ROWS = 20_000_000
/** So few rows are counted in a file of any size. */
const CHEAP_ROWS = 100_000
/** A row takes a two-byte pointer, its length, its rowid and a header of one byte. */
const MIN_ROW_BYTES = 5

export interface RowCount {
  total: number
  isEstimate: boolean
}

/** Counts rows. Counts are cached until the data version of the file changes. */
export function countRows(store: SqliteStore, shape: TableShape, condition: Condition | undefined): RowCount {
  const from = `FROM main.${quoteName(shape.name)}`
  const span = condition === undefined && shape.isByRowid ? spanOf(store, shape, from) : 0
  // Rowids may be chosen freely, so their range alone says little.
  const most = span > MAX_COUNTED_ROWS && !isSmall(store, from) ? Math.min(span, maxRowsOf(store)) : 0
  if (most > MAX_COUNTED_ROWS) return { total: most, isEstimate: true }
  const where = condition === undefined ? '' : `WHERE ${condition.sql}`
  const counted = numberOf(store, {
    sql: `SELECT count(*) ${from} ${where}`,
    values: condition?.values ?? [],
  })
  return { total: counted, isEstimate: false }
}

function isSmall(store: SqliteStore, from: string): boolean {
  const sql = `SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${CHEAP_ROWS + 1})`
  return numberOf(store, { sql, values: [] }) <= CHEAP_ROWS
}

function maxRowsOf(store: SqliteStore): number {
  const sql = 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'
  return Math.floor(numberOf(store, { sql, values: [] }) / MIN_ROW_BYTES)
}

function spanOf(store: SqliteStore, { key: [rowid] }: TableShape, from: string): number {
  return numberOf(store, {
    sql: `SELECT coalesce((SELECT max(${rowid}) ${from}) - (SELECT min(${rowid}) ${from}) + 1, 0)`,
    values: [],
  })
}

function numberOf(store: SqliteStore, { sql, values }: Condition): number {
  const { database, guard } = store
  return guard.trust(() => {
    const cache = cacheOf(store)
    const name = JSON.stringify([sql, values.map(String)])
    const known = cache.get(name)
    if (known !== undefined) return known
    const [value] = Object.values(database.prepare(sql).get(...values) ?? {})
    const number = Number(value ?? 0)
    cache.set(name, number)
    return number
  })
}

const MAX_CACHED_COUNTS = 200
const caches = new WeakMap<SqliteStore, { version: string; counts: Map<string, number> }>()

function cacheOf(store: SqliteStore): Map<string, number> {
  const version = versionOf(store)
  const cached = caches.get(store)
  if (cached?.version === version && cached.counts.size < MAX_CACHED_COUNTS) return cached.counts
  const counts = new Map<string, number>()
  caches.set(store, { version, counts })
  return counts
}

/** data_version changes with commits of other connections, total_changes with our own. */
function versionOf({ database }: SqliteStore): string {
  const versions = [
    database.prepare('PRAGMA data_version').get(),
    database.prepare('SELECT total_changes()').get(),
  ]
  return versions.map((row) => Object.values(row ?? {}).join()).join()
}

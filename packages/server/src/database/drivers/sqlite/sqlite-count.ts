import type { Condition } from './sqlite-condition.ts'
import type { SqliteStore } from './sqlite-store.ts'
import { quoteName, type TableShape } from './sqlite-tables.ts'

/** Beyond so many rows counting takes longer than a page should, and the span of row numbers stands for it. */
const COUNTED_ROWS = 20_000_000

export interface RowCount {
  total: number
  isEstimate: boolean
}

/** Counts are kept until anybody commits a change to the file, which SQLite tells by its data version. */
export function countRows(store: SqliteStore, shape: TableShape, condition: Condition | undefined): RowCount {
  const from = `FROM main.${quoteName(shape.name)}`
  const span = condition === undefined && shape.isByRowid ? spanOf(store, shape, from) : 0
  if (span > COUNTED_ROWS) return { total: span, isEstimate: true }
  const where = condition === undefined ? '' : `WHERE ${condition.sql}`
  const counted = numberOf(store, {
    sql: `SELECT count(*) ${from} ${where}`,
    values: condition?.values ?? [],
  })
  return { total: counted, isEstimate: false }
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

const MOST_COUNTS = 200
const caches = new WeakMap<SqliteStore, { version: string; counts: Map<string, number> }>()

function cacheOf(store: SqliteStore): Map<string, number> {
  const version = versionOf(store)
  const kept = caches.get(store)
  if (kept?.version === version && kept.counts.size < MOST_COUNTS) return kept.counts
  const counts = new Map<string, number>()
  caches.set(store, { version, counts })
  return counts
}

/** The data version tells of other connections' commits; the count of changes tells of this one's own. */
function versionOf({ database }: SqliteStore): string {
  const told = [
    database.prepare('PRAGMA data_version').get(),
    database.prepare('SELECT total_changes()').get(),
  ]
  return told.map((row) => Object.values(row ?? {}).join()).join()
}

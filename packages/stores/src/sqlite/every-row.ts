import { constants } from 'node:sqlite'
import type { Confirmation } from '#driver.ts'
import type { SqliteAction } from './guard.ts'
import type { SqliteStore } from './store.ts'
import { quoteName } from './tables.ts'

/** Finds out whether a write has changed every row of its table, whatever its WHERE says. */
export interface EveryRowWatch {
  /** Called after the write and before its commit, with the rows that it changed. */
  confirmationFor(rowsAffected: number): Confirmation | undefined
}

interface WatchedStatement {
  sql: string
  writes: readonly SqliteAction[]
}

/** Undefined for a statement that changes no rows. Must be called before the write. */
export function watchEveryRow(
  store: SqliteStore,
  { sql, writes }: WatchedStatement,
): EveryRowWatch | undefined {
  // The statement's own action comes first, those of its triggers later.
  const [written] = writes
  const table = written?.first
  if (written === undefined || typeof table !== 'string' || table.startsWith('sqlite_')) return undefined
  const rowsUpTo = (limit: number) => countUpTo(store, table, limit)
  if (written.action === constants.SQLITE_DELETE) {
    return {
      confirmationFor: (changed) =>
        changed > 0 && rowsUpTo(1) === 0
          ? { table, sentence: `This deletes every row of '${table}'.` }
          : undefined,
    }
  }
  const changesEveryRow = { table, sentence: `This changes every row of '${table}'.` }
  if (written.action === constants.SQLITE_UPDATE) {
    return {
      confirmationFor: (changed) =>
        changed > 0 && rowsUpTo(changed + 1) <= changed ? changesEveryRow : undefined,
    }
  }
  // An INSERT changes rows only by REPLACE or ON CONFLICT; what it did not add it has changed.
  if (written.action !== constants.SQLITE_INSERT || !/\b(?:replace|conflict)\b/i.test(sql)) return undefined
  const before = rowsUpTo(Number.MAX_SAFE_INTEGER)
  return {
    confirmationFor: (changed) => {
      const added = rowsUpTo(Number.MAX_SAFE_INTEGER) - before
      return before > 0 && changed - added >= before ? changesEveryRow : undefined
    },
  }
}

/** Counts no further than the limit, so that the check costs no more than the write. */
function countUpTo({ database, guard }: SqliteStore, table: string, limit: number): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM main.${quoteName(table)} LIMIT ?)`
  const row = guard.trust(() => database.prepare(sql).get(limit))
  return Number(Object.values(row ?? {})[0] ?? 0)
}

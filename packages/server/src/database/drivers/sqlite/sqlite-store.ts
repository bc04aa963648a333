import type { DatabaseSync } from 'node:sqlite'
import type { SqliteGuard } from './sqlite-guard.ts'

/** The one open file of a process. */
export interface SqliteStore {
  database: DatabaseSync
  guard: SqliteGuard
  hiddenColumns: readonly string[]
  writable: boolean
}

import { DatabaseSync } from 'node:sqlite'
import { createSqliteGuard, type SqliteGuard } from './guard.ts'

/** The open file of a worker process. */
export interface SqliteStore {
  database: DatabaseSync
  guard: SqliteGuard
  hiddenColumns: readonly string[]
}

export interface SqliteStoreOptions {
  file: string
  writable: boolean
  hiddenColumns: readonly string[]
}

const BUSY_TIMEOUT_MS = 5000

/** The longest text or blob that a statement may create. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024

export function openSqliteStore({ file, writable, hiddenColumns }: SqliteStoreOptions): SqliteStore {
  const database = new DatabaseSync(file, {
    readOnly: !writable,
    timeout: BUSY_TIMEOUT_MS,
    allowExtension: false,
    enableForeignKeyConstraints: true,
    defensive: true,
    readBigInts: true,
    returnArrays: true,
    limits: { length: MAX_VALUE_BYTES, attach: 1 },
  })
  // A sort then takes memory, which is limited, and no space on the disk, which is not.
  database.exec('PRAGMA temp_store = MEMORY')
  return { database, guard: createSqliteGuard(database, { writable, hiddenColumns }), hiddenColumns }
}

import { DatabaseSync } from 'node:sqlite'
import type { Engine, EnginePlace } from '#database/drivers/hosted/engine.ts'
import { asStoreSays } from './sqlite-fault.ts'
import { createSqliteGuard } from './sqlite-guard.ts'
import { readPage } from './sqlite-page.ts'
import { explainStatement } from './sqlite-plan.ts'
import { checkStatement, runStatement } from './sqlite-statement.ts'
import type { SqliteStore } from './sqlite-store.ts'
import { streamRows } from './sqlite-stream.ts'
import { listTables, schemaOf } from './sqlite-tables.ts'

const BUSY_TIMEOUT_MS = 5000

/** The longest text or blob that a statement may make. */
const LONGEST_VALUE_BYTES = 64 * 1024 * 1024

/** Inside its own process: one SQLite file, every statement held to what the connection may do. */
export function openSqliteEngine(place: Extract<EnginePlace, { kind: 'sqlite' }>): Engine {
  const database = asStoreSays(() => openFile(place))
  const guard = createSqliteGuard(database, place)
  const store: SqliteStore = { database, guard, hiddenColumns: place.hiddenColumns, writable: place.writable }
  const told =
    <Args extends unknown[], Value>(work: (store: SqliteStore, ...args: Args) => Value) =>
    (...args: Args) =>
      asStoreSays(() => work(store, ...args))

  return {
    ping: told(greet),
    tables: told(listTables),
    schema: told(schemaOf),
    page: told(readPage),
    check: told(checkStatement),
    run: told(runStatement),
    explain: told(explainStatement),
    stream: told(streamRows),
  }
}

function openFile({ file, writable }: { file: string; writable: boolean }): DatabaseSync {
  return new DatabaseSync(file, {
    readOnly: !writable,
    timeout: BUSY_TIMEOUT_MS,
    allowExtension: false,
    enableForeignKeyConstraints: true,
    defensive: true,
    readBigInts: true,
    returnArrays: true,
    limits: { length: LONGEST_VALUE_BYTES, attach: 1 },
  })
}

function greet({ database, guard }: SqliteStore) {
  // The file itself is only read when a table is: a file that is no database must not pass for one.
  const [version] = guard.trust(() => {
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return rowOfOne(database.prepare('SELECT sqlite_version()').get())
  })
  return { version: `SQLite ${version}`, warnings: [] }
}

/** The database is opened to give rows as lists, which its types do not know. */
function rowOfOne(row: unknown): unknown[] {
  return Array.isArray(row) ? row : []
}

import type { StoreWorker, StoreWorkerConfig } from '#worker/store-worker.ts'
import { readPage } from './pages.ts'
import { explainStatement } from './plan.ts'
import { refuseSqliteErrors, toRefusalIfSqlite } from './refusals.ts'
import { runStatement } from './statement.ts'
import { openSqliteStore, type SqliteStore } from './store.ts'
import { streamRows } from './stream.ts'
import { listTables, schemaOf } from './tables.ts'

/** Serves one SQLite file inside a worker process. The guard checks every statement. */
export function openSqliteWorker(config: Extract<StoreWorkerConfig, { kind: 'sqlite' }>): StoreWorker {
  const store = refuseSqliteErrors(() => openSqliteStore(config))
  const withStore =
    <Args extends unknown[], Value>(work: (store: SqliteStore, ...args: Args) => Value) =>
    (...args: Args) =>
      refuseSqliteErrors(() => work(store, ...args))

  return {
    ping: withStore(readServerInfo),
    tables: withStore(listTables),
    schema: withStore(schemaOf),
    page: withStore(readPage),
    run: (statement, caps, beforeWrite) =>
      runStatement(store, statement, caps, beforeWrite).catch((fault) => {
        throw toRefusalIfSqlite(fault)
      }),
    explain: withStore(explainStatement),
    stream: withStore(streamRows),
  }
}

function readServerInfo({ database, guard }: SqliteStore) {
  const [version] = guard.trust(() => {
    // SQLite reads the file only with the first table, so this finds out whether it is a database.
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return firstRow(database.prepare('SELECT sqlite_version()').get())
  })
  return { version: `SQLite ${version}`, warnings: [] }
}

/** The database is opened to return rows as arrays, which Node's types do not know. */
function firstRow(row: unknown): unknown[] {
  return Array.isArray(row) ? row : []
}

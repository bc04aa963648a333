import type { StoreWorker, StoreWorkerConfig } from '#worker/store-worker.ts'
import { readPage } from './pages.ts'
import { explainStatement } from './plan.ts'
import { refuseDuckErrors } from './refusals.ts'
import { runStatement } from './statement.ts'
import { openParquetStore, type ParquetStore } from './store.ts'
import { streamRows } from './stream.ts'
import { listTables, schemaOf } from './tables.ts'

/** Serves a folder of Parquet files inside a worker process. DuckDB can access these files only. */
export async function openParquetWorker({
  folder,
}: Extract<StoreWorkerConfig, { kind: 'parquet' }>): Promise<StoreWorker> {
  const store = openParquetStore(folder)
  const withStore =
    <Args extends unknown[], Value>(work: (store: ParquetStore, ...args: Args) => Promise<Value>) =>
    (...args: Args) =>
      refuseDuckErrors(async () => work(await store.current(), ...args))

  return {
    ping: withStore(readServerInfo),
    tables: withStore(listTables),
    schema: withStore(schemaOf),
    page: withStore(readPage),
    run: withStore(runStatement),
    explain: withStore(explainStatement),
    stream: withStore(streamRows),
  }
}

async function readServerInfo({ duck, tables }: ParquetStore) {
  const read = await duck.runAndReadAll('SELECT version()')
  const warnings = tables.length === 0 ? ['The folder contains no Parquet files.'] : []
  return { version: `Parquet, read by DuckDB ${read.getRows()[0]?.[0]}`, warnings }
}

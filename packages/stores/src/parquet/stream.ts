import type { DuckDBResult } from '@duckdb/node-api'
import type { RowSource } from '#driver.ts'
import type { ExportCell } from '#export-form.ts'
import type { StoreWorkerStream } from '#worker/store-worker.ts'
import { exportChunks, exportColumns } from './export-forms.ts'
import { filteredSql } from './filter.ts'
import { prepareRead } from './guard.ts'
import { refuseDuckErrors } from './refusals.ts'
import type { ParquetStore } from './store.ts'
import { findTable, columnsOf as tableColumns } from './tables.ts'

export async function streamRows(store: ParquetStore, source: RowSource): Promise<StoreWorkerStream> {
  const result =
    'statement' in source ? await streamStatement(store, source) : await streamTable(store, source)
  const batches = batchesOf(result)
  return { columns: exportColumns(result), batches: { next: () => refuseDuckErrors(() => batches.next()) } }
}

/** DuckDB's chunks of 2,048 rows would block the server too long when written at once. */
const BATCH_ROWS = 256

async function* batchesOf(result: DuckDBResult): AsyncGenerator<ExportCell[][]> {
  for await (const chunk of exportChunks(result)) {
    for (let from = 0; from < chunk.length; from += BATCH_ROWS) yield chunk.slice(from, from + BATCH_ROWS)
  }
}

async function streamStatement(
  store: ParquetStore,
  { statement }: { statement: string },
): Promise<DuckDBResult> {
  const prepared = await prepareRead(store, statement)
  return prepared.stream()
}

async function streamTable(
  store: ParquetStore,
  source: Extract<RowSource, { table: string }>,
): Promise<DuckDBResult> {
  const table = findTable(store, source.table)
  const { sql, values } = filteredSql(table, await tableColumns(store, table), source)
  return store.duck.stream(sql, values)
}

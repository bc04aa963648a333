import type { DuckDBResult } from '@duckdb/node-api'
import type { RowSource } from '#database/drivers/driver.ts'
import { FOR_EXPORT } from '#database/drivers/encode.ts'
import type { EngineStream } from '#database/drivers/hosted/engine.ts'
import { asDuckSays } from './duck-fault.ts'
import { columnsOf, encodedChunks } from './duck-rows.ts'
import { narrowedSql } from './parquet-narrowing.ts'
import { prepareReading } from './parquet-statement.ts'
import type { ParquetStore } from './parquet-store.ts'
import { findTable, columnsOf as tableColumns } from './parquet-tables.ts'

export async function streamRows(store: ParquetStore, source: RowSource): Promise<EngineStream> {
  const result =
    'statement' in source ? await streamStatement(store, source) : await streamTable(store, source)
  const batches = batchesOf(result)
  return { columns: columnsOf(result), batches: { next: () => asDuckSays(() => batches.next()) } }
}

/** DuckDB's chunks are of 2,048 rows: too much to be written out at once between two calls of others. */
const BATCH_ROWS = 256

async function* batchesOf(result: DuckDBResult): AsyncGenerator<unknown[][]> {
  for await (const chunk of encodedChunks(result, FOR_EXPORT)) {
    for (let from = 0; from < chunk.length; from += BATCH_ROWS) yield chunk.slice(from, from + BATCH_ROWS)
  }
}

async function streamStatement(
  store: ParquetStore,
  { statement }: { statement: string },
): Promise<DuckDBResult> {
  const prepared = await prepareReading(store, statement)
  return prepared.stream()
}

async function streamTable(
  store: ParquetStore,
  source: Extract<RowSource, { table: string }>,
): Promise<DuckDBResult> {
  const table = findTable(store, source.table)
  const { sql, values } = narrowedSql(table, await tableColumns(store, table), source)
  return store.duck.stream(sql, values)
}

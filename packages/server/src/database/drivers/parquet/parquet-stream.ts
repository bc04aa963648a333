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
  const chunks = encodedChunks(result, FOR_EXPORT)
  return { columns: columnsOf(result), batches: { next: () => asDuckSays(() => chunks.next()) } }
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

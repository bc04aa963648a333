import type { Column, TableStorage } from '@binnacle/contract'
import type { TableEntry, TableSchema } from '#driver.ts'
import { unknownTable } from '#store-refusal.ts'
import { quoteText } from './duck.ts'
import type { ParquetTable } from './folder.ts'
import { type ParquetStore, readParquet } from './store.ts'

export async function listTables({ tables }: ParquetStore): Promise<TableEntry[]> {
  return tables.map(({ name }) => ({ name, kind: 'table' }))
}

export async function schemaOf(store: ParquetStore, name: string): Promise<TableSchema> {
  const table = findTable(store, name)
  const columns = await columnsOf(store, table)
  return { columns, storage: await storageOf(store, table, columns) }
}

export function findTable({ tables }: ParquetStore, name: string): ParquetTable {
  const table = tables.find((candidate) => candidate.name === name)
  if (table === undefined) throw unknownTable(name)
  return table
}

/** The columns of the first file; DuckDB reads the others by these names. */
export async function columnsOf({ duck }: ParquetStore, { files }: ParquetTable): Promise<Column[]> {
  const read = await duck.runAndReadAll(`DESCRIBE SELECT * FROM ${readParquet(files.slice(0, 1))}`)
  return read.getRows().map(([name, type], cid) => ({
    cid,
    name: String(name),
    type: String(type),
    notnull: 0,
    pk: 0,
  }))
}

async function storageOf(
  { duck }: ParquetStore,
  { files }: ParquetTable,
  columns: readonly Column[],
): Promise<TableStorage> {
  const list = `[${files.map(quoteText).join()}]`
  const summary = await duck.runAndReadAll(
    `SELECT count(*), sum(num_rows), sum(file_size_bytes), sum(num_row_groups) FROM parquet_file_metadata(${list})`,
  )
  const statistics = columns.map(({ name, type }) => statisticsSql(name, type ?? 'VARCHAR')).join()
  const columnFigures = await duck.runAndReadAll(
    `SELECT string_agg(DISTINCT compression, ', '), ${statistics} FROM parquet_metadata(${list})`,
  )
  const [fileCount, rows, bytes, groups] = (summary.getRows()[0] ?? []).map(Number)
  const [compression = null, ...figures] = columnFigures.getRows()[0] ?? []
  return {
    files: fileCount ?? 0,
    rows: rows ?? 0,
    bytes: bytes ?? 0,
    row_groups: groups ?? 0,
    compression: textOr(compression),
    columns: columns.map(({ name }, index) =>
      statisticsOf(name, figures.slice(index * STATISTICS_PER_COLUMN)),
    ),
  }
}

const STATISTICS_PER_COLUMN = 4

/** Statistics are stored as text, so they are cast to the column's type. */
function statisticsSql(name: string, type: string): string {
  const own = `FILTER (WHERE path_in_schema = ${quoteText(name)})`
  return [
    `min(TRY_CAST(stats_min_value AS ${type})) ${own}::VARCHAR`,
    `max(TRY_CAST(stats_max_value AS ${type})) ${own}::VARCHAR`,
    `sum(stats_null_count) ${own}`,
    `sum(total_compressed_size) ${own}`,
  ].join()
}

function statisticsOf(name: string, [min, max, nulls, bytes]: readonly unknown[]) {
  return { name, min: textOr(min), max: textOr(max), nulls: numberOr(nulls), bytes: numberOr(bytes) }
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOr(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}

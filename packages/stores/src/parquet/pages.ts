import type { Row } from '@binnacle/contract'
import type { Page, PageRequest } from '#driver.ts'
import { rowOf } from '#encode.ts'
import { quoteName, quoteText } from './duck.ts'
import { filteredSql } from './filter.ts'
import type { ParquetTable } from './folder.ts'
import { encodedChunks, columnsOf as resultColumns } from './rows.ts'
import { type ParquetStore, readParquet } from './store.ts'
import { columnsOf, findTable } from './tables.ts'

/** Parquet files store row counts and number rows, so a page is read without the rows before it. */
export async function readPage(store: ParquetStore, request: PageRequest): Promise<Page> {
  const table = findTable(store, request.table)
  if (request.sort !== undefined || request.filter !== undefined)
    return readFilteredPage(store, table, request)
  const counts = await countsOf(store, table)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const names = (await columnsOf(store, table)).map(({ name }) => quoteName(name))
  const windows = windowsOf(table.files, counts, request)
  const selects = windows.map(({ file, from, to }) => {
    const rows = readParquet([file], ', file_row_number = true')
    return `(SELECT ${names.join()} FROM ${rows} WHERE file_row_number >= ${from} AND file_row_number < ${to}
      ORDER BY file_row_number)`
  })
  const none = `SELECT ${names.join()} FROM ${readParquet(table.files.slice(0, 1))} LIMIT 0`
  return { ...(await readRows(store, selects.join(' UNION ALL ') || none)), total, totalIsEstimate: false }
}

async function readFilteredPage(
  store: ParquetStore,
  table: ParquetTable,
  request: PageRequest,
): Promise<Page> {
  const { sql, values } = filteredSql(table, await columnsOf(store, table), request)
  const counted = await store.duck.runAndReadAll(`SELECT count(*) FROM (${sql})`, values)
  const total = Number(counted.getRows()[0]?.[0] ?? 0)
  const page = await readRows(store, `${sql} LIMIT ${request.limit} OFFSET ${request.offset}`, values)
  return { ...page, total, totalIsEstimate: false }
}

async function readRows(
  { duck }: ParquetStore,
  sql: string,
  values: Record<string, string> = {},
): Promise<Pick<Page, 'columns' | 'rows'>> {
  const result = await duck.run(sql, values)
  const columns = resultColumns(result)
  const rows: Row[] = []
  for await (const chunk of encodedChunks(result)) {
    rows.push(...chunk.map((row) => rowOf(columns, row)))
  }
  return { columns, rows }
}

async function countsOf({ duck }: ParquetStore, { files }: ParquetTable): Promise<number[]> {
  const list = files.map(quoteText).join()
  const read = await duck.runAndReadAll(`SELECT file_name, num_rows FROM parquet_file_metadata([${list}])`)
  const rows = new Map(read.getRows().map(([file, count]) => [String(file), Number(count)]))
  return files.map((file) => rows.get(file) ?? 0)
}

interface Window {
  file: string
  from: number
  to: number
}

function windowsOf(
  files: readonly string[],
  counts: readonly number[],
  { offset, limit }: PageRequest,
): Window[] {
  const windows: Window[] = []
  let before = 0
  for (const [index, file] of files.entries()) {
    const count = counts[index] ?? 0
    const from = Math.max(0, offset - before)
    const to = Math.min(count, offset + limit - before)
    if (from < to) windows.push({ file, from, to })
    before += count
  }
  return windows
}

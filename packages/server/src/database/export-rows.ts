import { type ExportFormat, type ResultColumn, ROW_EXPORTS } from '@binnacle/contract'
import { Attachment } from '#http/attachment.ts'
import type { Driver, RowSource, RowStream } from './drivers/driver.ts'
import { rowOf } from './drivers/encode.ts'
import { writeParquet } from './parquet-file.ts'

interface Wanted {
  format: ExportFormat
  /** What the rows are of; becomes the name of the file. */
  name: string
}

/** All rows as a file, sent while they are read. It has no time limit: who gives up closes the connection. */
export async function exportRows(
  driver: Driver,
  source: RowSource,
  { format, name }: Wanted,
): Promise<Attachment> {
  const rows = await driver.stream(source, new AbortController().signal)
  const fileName = `${name.replaceAll(/[^\w.-]+/g, '_').slice(0, 80)}.${format}`
  const charset = format === 'csv' ? '; charset=utf-8' : ''
  return new Attachment(fileName, `${ROW_EXPORTS[format]}${charset}`, WRITERS[format](rows))
}

const WRITERS: Record<ExportFormat, (rows: RowStream) => AsyncIterable<string | Uint8Array>> = {
  csv: writeCsv,
  jsonl: writeJsonLines,
  parquet: writeParquet,
}

async function* writeCsv({ columns, batches }: RowStream): AsyncGenerator<string> {
  yield csvLine(columns.map(({ name }) => name))
  for await (const rows of batches) yield rows.map(csvLine).join('')
}

async function* writeJsonLines({ columns, batches }: RowStream): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map((row) => jsonLine(columns, row)).join('')
}

function jsonLine(columns: readonly ResultColumn[], row: readonly unknown[]): string {
  return `${JSON.stringify(rowOf(columns, row))}\n`
}

/** RFC 4180. What is exported is what is stored, so nothing is put before a cell that looks like a formula. */
function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join()}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text
}

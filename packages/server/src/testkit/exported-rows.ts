import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportFormat } from '@binnacle/contract'
import type { Driver, RowSource } from '@binnacle/stores'
import { DuckDBInstance } from '@duckdb/node-api'
import { exportRows } from '#databases/export-rows.ts'

/** The bytes of an export as it is stored, formulas included. */
export async function exportedBytes(
  driver: Driver,
  source: RowSource,
  { format, scratch }: { format: ExportFormat; scratch: string },
): Promise<Buffer> {
  const file = await exportRows(driver, source, { format, formulas: 'raw', name: 'rows', scratch })
  const chunks: Buffer[] = []
  for await (const chunk of file.chunks) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** The records of a CSV file without its head. NULL is empty, an empty text is quoted. */
export function csvRecords(bytes: Buffer): (string | null)[][] {
  const text = bytes.toString()
  const records: (string | null)[][] = []
  let record: (string | null)[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
    record.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    records.push(record)
    record = []
  }
  return records.slice(1)
}

/** Runs SQL on a Parquet file, which the SQL calls `rows`. */
export async function queryParquet(bytes: Buffer, folder: string, sql: string): Promise<unknown[][]> {
  const file = join(folder, `${crypto.randomUUID()}.parquet`)
  writeFileSync(file, bytes)
  const instance = await DuckDBInstance.create(':memory:')
  const duck = await instance.connect()
  await duck.run(`CREATE VIEW rows AS SELECT * FROM '${file}'`)
  const read = await duck.runAndReadAll(sql)
  duck.closeSync()
  return read.getRows()
}

import { csvRow } from '#services/csv.ts'
import type { ChainedRecord } from '#storage/audit/chain.ts'

type Batches = AsyncIterable<ChainedRecord[]>

const COLUMNS = [
  'seq',
  'at',
  'actor',
  'role',
  'address',
  'action',
  'entity',
  'target',
  'before',
  'after',
  'request_id',
  'prev_hash',
  'hash',
] as const satisfies (keyof ChainedRecord)[]

/** CSV for spreadsheets; formulas are neutralised. */
export async function* exportCsv(batches: Batches): AsyncGenerator<string> {
  yield csvRow(COLUMNS)
  for await (const records of batches) {
    yield records.map((record) => csvRow(COLUMNS.map((column) => record[column]))).join('')
  }
}

/** JSON lines for programs, exactly as hashed (0009), so that the chain can be verified elsewhere. */
export async function* exportJsonLines(batches: Batches): AsyncGenerator<string> {
  for await (const records of batches) {
    yield records.map((record) => `${JSON.stringify(record, COLUMNS.slice())}\n`).join('')
  }
}

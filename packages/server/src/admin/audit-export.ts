import { csvRow } from '#services/audit/csv.ts'
import type { ChainedLine } from '#storage/audit/chain.ts'

type Batches = AsyncIterable<ChainedLine[]>

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
] as const satisfies (keyof ChainedLine)[]

/** CSV for spreadsheets; formulas are neutralised. */
export async function* exportCsv(batches: Batches): AsyncGenerator<string> {
  yield csvRow(COLUMNS)
  for await (const lines of batches) {
    yield lines.map((line) => csvRow(COLUMNS.map((column) => line[column]))).join('')
  }
}

/** JSON lines for programs, exactly as hashed (0009), so that the chain can be verified elsewhere. */
export async function* exportJsonLines(batches: Batches): AsyncGenerator<string> {
  for await (const lines of batches) {
    yield lines.map((line) => `${JSON.stringify(line, COLUMNS.slice())}\n`).join('')
  }
}

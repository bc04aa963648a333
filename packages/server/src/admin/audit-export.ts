import type { ChainedLine } from '#audit/chain.ts'
import { csvRow } from '#audit/csv.ts'

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

/** For people and their spreadsheets; a cell that could be a formula is marked as text. */
export async function* exportCsv(batches: Batches): AsyncGenerator<string> {
  yield csvRow(COLUMNS)
  for await (const lines of batches) {
    yield lines.map((line) => csvRow(COLUMNS.map((column) => line[column]))).join('')
  }
}

/** For programs: each line exactly as it was hashed (0009), so that the chain can be verified elsewhere. */
export async function* exportJsonLines(batches: Batches): AsyncGenerator<string> {
  for await (const lines of batches) {
    yield lines.map((line) => `${JSON.stringify(line, COLUMNS.slice())}\n`).join('')
  }
}

import { type ExportFormat, type ResultColumn, ROW_EXPORTS } from '@binnacle/contract'
import { Attachment } from '#http/attachment.ts'
import { ThrownRefusal } from '#http/problems.ts'
import { refusedBy, settle } from './drivers/answer-store.ts'
import type { Driver, RowSource, RowStream } from './drivers/driver.ts'
import { rowOf } from './drivers/encode.ts'
import { StoreRefusal } from './drivers/store-refusal.ts'
import { writeParquet } from './parquet-file.ts'
import type { OnGone } from './statement-limit.ts'

interface Wanted {
  format: ExportFormat
  /** What the rows are of; becomes the name of the file. */
  name: string
  /** Where a file that is made whole before it is sent lies meanwhile. */
  scratch: string
  stallMs?: number
  onGone?: OnGone
}

/** A statement that nobody takes rows from holds its store's attention, so after this long it is ended. */
const STALL_MS = 60_000

/** All rows as a file, sent while they are read, for as long as somebody takes them. */
export async function exportRows(
  driver: Driver,
  source: RowSource,
  { format, name, scratch, stallMs = STALL_MS, onGone }: Wanted,
): Promise<Attachment> {
  const control = new AbortController()
  onGone?.(() => control.abort(LEFT))
  const { columns, batches } = await driver.stream(source, control.signal)
  const stall = setTimeout(() => control.abort(STALLED), stallMs)
  const rows = { columns, batches: watched(batches, stall) }
  const fileName = `${name.replaceAll(/[^\w.-]+/g, '_').slice(0, 80)}.${format}`
  const charset = format === 'csv' ? '; charset=utf-8' : ''
  const chunks = leavable(WRITERS[format](rows, scratch), () => control.abort(LEFT))
  return new Attachment(fileName, `${ROW_EXPORTS[format]}${charset}`, chunks)
}

async function* watched(batches: RowStream['batches'], stall: NodeJS.Timeout): AsyncGenerator<unknown[][]> {
  const iterator = batches[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await settle(() => iterator.next())
      if (!step.ok) throw new ThrownRefusal(refusedBy(step.refusal))
      if (step.value.done === true) return
      stall.refresh()
      yield step.value.value
    }
  } finally {
    clearTimeout(stall)
    await iterator.return?.()
  }
}

/** A writer that waits for rows does not hear that nobody wants them any more, so the statement is told as well. */
function leavable<Chunk>(chunks: AsyncGenerator<Chunk>, leave: () => void): AsyncIterable<Chunk> {
  const iterator: AsyncIterator<Chunk> = {
    next: () => chunks.next(),
    return: () => {
      leave()
      return chunks.return(undefined)
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

const LEFT = new StoreRefusal(
  'statement.cancelled',
  'Nobody wants the rows any more, so the export was ended.',
)

const STALLED = new StoreRefusal(
  'statement.timeout',
  'Nobody took the rows any more, so the export was ended.',
)

const WRITERS: Record<
  ExportFormat,
  (rows: RowStream, scratch: string) => AsyncGenerator<string | Uint8Array>
> = {
  csv: writeCsv,
  jsonl: writeJsonLines,
  parquet: writeParquet,
}

async function* writeCsv({ columns, batches }: RowStream): AsyncGenerator<string> {
  // With the first rows: until something is sent, a statement that fails can still be answered.
  let head = csvLine(columns.map(({ name }) => name))
  for await (const rows of batches) {
    yield head + rows.map(csvLine).join('')
    head = ''
  }
  if (head !== '') yield head
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

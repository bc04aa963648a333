import { type CsvFormulas, type ExportFormat, ROW_EXPORTS } from '@binnacle/contract'
import type { Driver, ExportCell, ExportColumn, RowSource, RowStream } from '@binnacle/stores'
import { cellJson, cellText, StoreRefusal } from '@binnacle/stores'
import { Attachment } from '#http/attachment.ts'
import { ThrownRefusal } from '#http/problems.ts'
import { escapeFormula, quoteCell } from '#services/csv.ts'
import { writeParquet } from './parquet-file.ts'
import { catchRefusal, refusedBy } from './store-refusals.ts'

interface ExportOptions {
  format: ExportFormat
  /** Of CSV only. */
  formulas?: CsvFormulas
  /** Name of the table or statement; becomes the file name. */
  name: string
  /** Folder for files that are completed before they are sent. */
  scratch: string
  stallMs?: number
  /** Aborts when the client goes away. */
  signal?: AbortSignal
}

/** An export whose client stops reading is cancelled after this time. */
const STALL_MS = 60_000

/** Streams all rows as a file while the client reads. */
export async function exportRows(
  driver: Driver,
  source: RowSource,
  { format, formulas = 'text', name, scratch, stallMs = STALL_MS, signal }: ExportOptions,
): Promise<Attachment> {
  const control = new AbortController()
  signal?.addEventListener('abort', () => control.abort(CLIENT_GONE))
  const { columns, batches } = await driver.stream(source, control.signal)
  const stall = setTimeout(() => control.abort(STALLED), stallMs)
  const rows = { columns, batches: withStallTimer(batches, stall) }
  const fileName = `${name.replaceAll(/[^\w.-]+/g, '_').slice(0, 80)}.${format}`
  const charset = format === 'csv' ? '; charset=utf-8' : ''
  const chunks = endingOnReturn(WRITERS[format](rows, { scratch, formulas }), () =>
    control.abort(CLIENT_GONE),
  )
  return new Attachment(fileName, `${ROW_EXPORTS[format]}${charset}`, chunks)
}

async function* withStallTimer(
  batches: RowStream['batches'],
  stall: NodeJS.Timeout,
): AsyncGenerator<ExportCell[][]> {
  const iterator = batches[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await catchRefusal(() => iterator.next())
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

/** A writer that waits for rows does not notice that the client left, so the statement is cancelled too. */
function endingOnReturn<Chunk>(chunks: AsyncGenerator<Chunk>, leave: () => void): AsyncIterable<Chunk> {
  const iterator: AsyncIterator<Chunk> = {
    next: () => chunks.next(),
    return: () => {
      leave()
      return chunks.return(undefined)
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

const CLIENT_GONE = new StoreRefusal(
  'statement.cancelled',
  'The client disconnected, so the export was cancelled.',
)

const STALLED = new StoreRefusal(
  'statement.timeout',
  'The client stopped reading, so the export was cancelled.',
)

const WRITERS: Record<
  ExportFormat,
  (
    rows: RowStream,
    options: { scratch: string; formulas: CsvFormulas },
  ) => AsyncGenerator<string | Uint8Array>
> = {
  csv: writeCsv,
  jsonl: writeJsonLines,
  parquet: (rows, { scratch }) => writeParquet(rows, scratch),
}

async function* writeCsv(
  { columns, batches }: RowStream,
  { formulas }: { formulas: CsvFormulas },
): AsyncGenerator<string> {
  const csvLine = (cells: readonly ExportCell[]) =>
    `${cells.map((cell) => csvCell(cell, formulas)).join()}\r\n`
  // Sent with the first rows, so that an early failure can still be answered with a problem.
  let head = csvLine(columns.map(({ name }) => name))
  for await (const rows of batches) {
    yield head + rows.map(csvLine).join('')
    head = ''
  }
  if (head !== '') yield head
}

async function* writeJsonLines({ columns, batches }: RowStream): AsyncGenerator<string> {
  const names = columns.map(({ name }) => JSON.stringify(name))
  for await (const rows of batches) yield rows.map((row) => jsonLine(columns, names, row)).join('')
}

function jsonLine(
  columns: readonly ExportColumn[],
  names: readonly string[],
  row: readonly ExportCell[],
): string {
  const members = columns.flatMap((column, index) => {
    const json = cellJson(column, row[index] ?? null)
    return json === undefined ? [] : [`${names[index]}:${json}`]
  })
  return `{${members.join()}}\n`
}

/** NULL is empty, an empty text is quoted; so is a semicolon, at which some locales split. */
function csvCell(cell: ExportCell, formulas: CsvFormulas): string {
  const stored = cellText(cell)
  if (stored === null) return ''
  const text = formulas === 'text' ? escapeFormula(stored) : stored
  return /[",;\r\n]/.test(text) || text === '' ? quoteCell(text) : text
}

import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { openDuck, quoteText } from '@binnacle/stores'

/** One row of an uploaded file, every value as text. */
export interface TextRow {
  /** The line of a CSV file or the row of a Parquet file, counted from 1. */
  readonly line: number
  readonly values: readonly string[]
}

export interface FileHead {
  readonly format: 'csv' | 'parquet'
  /** Names of the first line; null when it has none. */
  readonly header: readonly string[] | null
  readonly columnCount: number
  readonly rows: readonly TextRow[]
}

export interface ReadOptions {
  hasHeader: boolean
  /** Called with the fraction of the file that was read. */
  onProgress?: (fraction: number) => void
}

const MAX_LINE_CHARS = 64 * 1024
const HEAD_BYTES = 256 * 1024
export const HEAD_ROWS = 1_000
const PARQUET_MAGIC = 'PAR1'

/** Reads the first rows and finds out what kind of file it is. */
export async function readHead(file: string): Promise<FileHead> {
  if (firstBytes(file, 4).toString('latin1') === PARQUET_MAGIC) {
    const { columns, rows } = await readParquetHead(file)
    return { format: 'parquet', header: columns, columnCount: columns.length, rows }
  }
  const bytes = firstBytes(file, HEAD_BYTES)
  const lines = withoutMark(bytes.toString('utf8')).split(/\r?\n/)
  // The last line may be cut off.
  if (bytes.length === HEAD_BYTES) lines.pop()
  const delimiter = delimiterOf(lines[0] ?? '')
  const all = lines.flatMap((text, index) =>
    text.trim() === '' ? [] : [{ line: index + 1, values: splitLine(text, delimiter) }],
  )
  const [first, ...others] = all.slice(0, HEAD_ROWS + 1)
  const header = first !== undefined && isHeader(first.values) ? first.values : null
  return {
    format: 'csv',
    header,
    columnCount: first?.values.length ?? 0,
    rows: header === null ? all.slice(0, HEAD_ROWS) : others,
  }
}

/** Reads all rows in batches, in the order of the file; only one batch is in memory. */
export async function* readRows(file: string, options: ReadOptions): AsyncGenerator<TextRow[]> {
  const isParquet = firstBytes(file, 4).toString('latin1') === PARQUET_MAGIC
  yield* isParquet ? readParquet(file, options) : readCsv(file, options)
}

async function* readCsv(file: string, { hasHeader, onProgress }: ReadOptions): AsyncGenerator<TextRow[]> {
  const { size } = statSync(file)
  let bytes = 0
  let line = 0
  let delimiter: string | undefined
  let rest = ''
  const take = (texts: readonly string[]): TextRow[] => {
    const rows: TextRow[] = []
    for (const text of texts) {
      line += 1
      delimiter ??= delimiterOf(text)
      if ((line === 1 && hasHeader) || text.trim() === '') continue
      rows.push({ line, values: splitLine(text, delimiter) })
    }
    return rows
  }
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: HEAD_BYTES })) {
    const text: string = bytes === 0 ? withoutMark(chunk) : chunk
    bytes += Buffer.byteLength(text)
    const lines = (rest + text).split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_CHARS) rest = rest.slice(0, MAX_LINE_CHARS)
    yield take(lines)
    onProgress?.(Math.min(1, bytes / Math.max(1, size)))
  }
  if (rest !== '') yield take([rest])
}

async function* readParquet(file: string, { onProgress }: ReadOptions): AsyncGenerator<TextRow[]> {
  const duck = await openDuck({ file })
  try {
    const counted = await duck.connection.runAndReadAll(
      `SELECT count(*)::DOUBLE FROM read_parquet(${quoteText(file)})`,
    )
    const total = Number(counted.getRows()[0]?.[0] ?? 0)
    const result = await duck.connection.stream(
      `SELECT COLUMNS(*)::VARCHAR FROM read_parquet(${quoteText(file)})`,
    )
    let row = 0
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      yield chunk.getRows().map((values) => {
        row += 1
        return { line: row, values: values.map((value) => String(value ?? '')) }
      })
      onProgress?.(row / Math.max(1, total))
    }
  } finally {
    duck.close()
  }
}

async function readParquetHead(file: string): Promise<{ columns: string[]; rows: TextRow[] }> {
  const duck = await openDuck({ file })
  try {
    const read = await duck.connection.runAndReadAll(
      `SELECT COLUMNS(*)::VARCHAR FROM read_parquet(${quoteText(file)}) LIMIT ${HEAD_ROWS}`,
    )
    const rows = read.getRows().map((values, index) => ({
      line: index + 1,
      values: values.map((value) => String(value ?? '')),
    }))
    return { columns: read.columnNames(), rows }
  } finally {
    duck.close()
  }
}

function firstBytes(file: string, count: number): Buffer {
  const handle = openSync(file, 'r')
  const buffer = Buffer.alloc(count)
  const length = readSync(handle, buffer, 0, count, 0)
  closeSync(handle)
  return buffer.subarray(0, length)
}

/** Spreadsheets begin their files with a byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

const DELIMITERS = [',', ';', '\t', '|']

function delimiterOf(line: string): string {
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

function splitLine(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter)
  const values: string[] = []
  let value = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ''
    if (character === '"') {
      // Two quotes inside quotes are one.
      if (isQuoted && line[at + 1] === '"') {
        value += '"'
        at += 1
      } else isQuoted = !isQuoted
    } else if (character === delimiter && !isQuoted) {
      values.push(value)
      value = ''
    } else value += character
  }
  return [...values, value]
}

/** A line of names: none of its values is a number or a time. */
function isHeader(values: readonly string[]): boolean {
  return values.every((value) => value.trim() === '' || !/^[\d.+-]/.test(value.trim()))
}

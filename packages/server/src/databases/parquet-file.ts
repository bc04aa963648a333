import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExportCell, ExportColumn, RowStream } from '@binnacle/stores'
import { cellText, openDuck, quoteName, quoteText, StoreRefusal } from '@binnacle/stores'
import { checkCell } from './parquet-cells.ts'

/** Writes the rows as a Parquet file. It is completed on disk first, because its footer comes last. */
export async function* writeParquet(
  rows: RowStream,
  scratch: string,
  freeBytesOf = freeBytes,
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(scratch, 'export-'))
  try {
    const lines = join(folder, 'rows.jsonl')
    await pipeline(
      Readable.from(withFreeSpaceCheck(jsonLines(rows), () => freeBytesOf(folder))),
      createWriteStream(lines),
    )
    const file = join(folder, 'rows.parquet')
    await convert({ folder, lines, file }, rows.columns)
    yield* createReadStream(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The journal may be on the same disk, and a full disk halts trading, so an export stops early. */
const MIN_FREE_BYTES = 1024 ** 3
const CHECK_EVERY_BYTES = 64 * 1024 ** 2

async function* withFreeSpaceCheck(
  pieces: AsyncIterable<string>,
  free: () => Promise<number>,
): AsyncGenerator<string> {
  let unseen = CHECK_EVERY_BYTES
  for await (const piece of pieces) {
    unseen += piece.length
    if (unseen >= CHECK_EVERY_BYTES) {
      if ((await free()) < MIN_FREE_BYTES) throw diskFull()
      unseen = 0
    }
    yield piece
  }
}

function diskFull(): StoreRefusal {
  return new StoreRefusal(
    'store.refused',
    'The export was stopped: less than 1 GB of disk space is free. Export fewer rows, or use CSV or JSON lines, which need no disk space.',
  )
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** DuckDB reserves twice as much before the first row. */
const MAX_ROW_BYTES = 64 * 1024 * 1024

/** Columns are numbered, because any text can be a column name. */
async function* jsonLines({ columns, batches }: RowStream): AsyncGenerator<string> {
  let rowNumber = 0
  for await (const rows of batches) {
    const before = rowNumber
    yield rows.map((row, index) => jsonLine(columns, row, before + index + 1)).join('')
    rowNumber += rows.length
  }
}

function jsonLine(columns: readonly ExportColumn[], row: readonly ExportCell[], rowNumber: number): string {
  const members = columns.map((column, index) => {
    const text = cellText(row[index] ?? null)
    if (text !== null) checkCell(column, text, rowNumber)
    return [`c${index}`, text]
  })
  const line = `${JSON.stringify(Object.fromEntries(members))}\n`
  if (line.length > MAX_ROW_BYTES) throw rowTooLarge(rowNumber)
  return line
}

function rowTooLarge(rowNumber: number): StoreRefusal {
  return new StoreRefusal(
    'store.refused',
    `Row ${rowNumber} is larger than 64 MiB as text, which is too large for an export as Parquet. Export CSV or JSON lines.`,
  )
}

/** The rows arrive as text and are converted to the types of the columns. */
async function convert(
  { folder, lines, file }: Record<'folder' | 'lines' | 'file', string>,
  columns: readonly ExportColumn[],
) {
  const duck = await openDuck({ folder })
  const texts = columns.map((_, index) => `c${index}: 'VARCHAR'`)
  const values = columns.map(
    ({ name, parquet }, index) => `${castSql(`c${index}`, parquet)} AS ${quoteName(name)}`,
  )
  await duck.connection
    .run(
      `COPY (SELECT ${values.join()} FROM read_json(${quoteText(lines)}, format = 'newline_delimited',
        columns = {${texts.join()}}, maximum_object_size = ${MAX_ROW_BYTES})) TO ${quoteText(file)} (FORMAT parquet)`,
    )
    .catch(refuseConversion)
    .finally(() => duck.close())
}

function castSql(column: string, type: string): string {
  if (type === 'BLOB') return `unhex(substr(${column}, 3))`
  if (/^(DATE|TIMESTAMP)/.test(type)) return `CAST(${BEFORE_CHRIST.replaceAll('?', column)} AS ${type})`
  const isNested = /[[(]/.test(type) && !type.startsWith('DECIMAL')
  return isNested ? nestedSql(column, type) : `CAST(${column} AS ${type})`
}

/** A list, struct or map from its JSON. Bytes pass through text, because JSON itself has none. */
function nestedSql(column: string, type: string): string {
  const ofTexts = type.replaceAll(/"(?:[^"]|"")*"|\bBLOB\b/g, (part) => (part === 'BLOB' ? 'VARCHAR' : part))
  const nested = `CAST(CAST(${column} AS JSON) AS ${ofTexts})`
  return ofTexts === type ? nested : `CAST(${nested} AS ${type})`
}

/** PostgreSQL writes '0044-03-15 10:00:00 BC', DuckDB '0044-03-15 (BC) 10:00:00'. */
const BEFORE_CHRIST = String.raw`regexp_replace(?, '^(\d+-\d\d-\d\d)(.*) BC$', '\1 (BC)\2')`

/** A date out of DuckDB's range, or text that is not JSON in a SQLite column of JSON. */
function refuseConversion(failure: unknown): never {
  const message = failure instanceof Error ? failure.message : ''
  const [, reason] = /^(?:Conversion|Invalid Input) Error: ([^\n]{1,300})/.exec(message) ?? []
  if (reason === undefined) throw failure
  throw new StoreRefusal(
    'store.refused',
    `A value does not fit the type of its column in Parquet (${reason.replace(/\.$/, '')}). Export CSV or JSON lines.`,
  )
}

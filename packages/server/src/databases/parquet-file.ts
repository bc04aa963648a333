import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RowStream } from '@binnacle/stores'
import { openDuck, quoteText, StoreRefusal } from '@binnacle/stores'
import { createTypeObserver, type TypeObserver } from './observed-types.ts'

/** Writes the rows as a Parquet file. It is completed on disk first, because its footer comes last. */
export async function* writeParquet(
  rows: RowStream,
  scratch: string,
  freeBytesOf = freeBytes,
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(scratch, 'export-'))
  try {
    const watch = createTypeObserver(rows.columns)
    const lines = join(folder, 'rows.jsonl')
    await pipeline(
      Readable.from(withFreeSpaceCheck(jsonLines(rows, watch), () => freeBytesOf(folder))),
      createWriteStream(lines),
    )
    const file = join(folder, 'rows.parquet')
    await convert({ folder, lines, file }, watch)
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
const MAX_ROW_BYTES = 32 * 1024 * 1024

/** Columns are numbered, because any text can be a column name. */
async function* jsonLines({ batches }: RowStream, watch: TypeObserver): AsyncGenerator<string> {
  for await (const rows of batches) {
    yield rows
      .map(
        (row) =>
          `${JSON.stringify(Object.fromEntries(row.map((value, index) => [`c${index}`, plain(value)])))}\n`,
      )
      .join('')
    for (const row of rows) watch.observe(row)
  }
}

/** Nested values become JSON text. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

async function convert(
  { folder, lines, file }: Record<'folder' | 'lines' | 'file', string>,
  { types }: TypeObserver,
) {
  const duck = await openDuck({ folder })
  const columns = types().map(({ type }, index) => `c${index}: ${quoteText(type)}`)
  const names = types().map(({ name }, index) => `c${index} AS "${name.replaceAll('"', '""')}"`)
  await duck.connection
    .run(
      `COPY (SELECT ${names.join()} FROM read_json(${quoteText(lines)}, format = 'newline_delimited',
        columns = {${columns.join()}}, maximum_object_size = ${MAX_ROW_BYTES})) TO ${quoteText(file)} (FORMAT parquet)`,
    )
    .finally(() => duck.close())
}

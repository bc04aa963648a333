import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openDuck, quoteText } from '#catalog/duck.ts'
import type { RowStream } from './drivers/driver.ts'
import { StoreRefusal } from './drivers/store-refusal.ts'
import { createTypeWatch, type TypeWatch } from './observed-types.ts'

/** The rows as a Parquet file. It is made whole on the disk first, since its table of contents is at its end. */
export async function* writeParquet(
  rows: RowStream,
  scratch: string,
  freeBytesOf = freeBytes,
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(scratch, 'export-'))
  try {
    const watch = createTypeWatch(rows.columns)
    const lines = join(folder, 'rows.jsonl')
    await pipeline(
      Readable.from(withRoom(jsonLines(rows, watch), () => freeBytesOf(folder))),
      createWriteStream(lines),
    )
    const file = join(folder, 'rows.parquet')
    await convert({ folder, lines, file }, watch)
    yield* createReadStream(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The journal may be on the same disk, and a full one halts trading: an export stops long before. */
const KEPT_FREE_BYTES = 1024 ** 3
const LOOK_EVERY_BYTES = 64 * 1024 ** 2

async function* withRoom(pieces: AsyncIterable<string>, free: () => Promise<number>): AsyncGenerator<string> {
  let unseen = LOOK_EVERY_BYTES
  for await (const piece of pieces) {
    unseen += piece.length
    if (unseen >= LOOK_EVERY_BYTES) {
      if ((await free()) < KEPT_FREE_BYTES) throw noRoom()
      unseen = 0
    }
    yield piece
  }
}

function noRoom(): StoreRefusal {
  return new StoreRefusal(
    'store.refused',
    'The export was stopped: less than 1 GB is free on the disk where it is made. Export fewer rows, or as CSV or JSON lines, which need no disk.',
  )
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** DuckDB sets twice as much aside before it reads the first row. */
const LONGEST_ROW_BYTES = 32 * 1024 * 1024

/** By number and not by name: any name can be a column's. */
async function* jsonLines({ batches }: RowStream, watch: TypeWatch): AsyncGenerator<string> {
  for await (const rows of batches) {
    yield rows
      .map(
        (row) =>
          `${JSON.stringify(Object.fromEntries(row.map((value, index) => [`c${index}`, plain(value)])))}\n`,
      )
      .join('')
    for (const row of rows) watch.see(row)
  }
}

/** What is nested has no column type of its own; it goes as JSON. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

async function convert(
  { folder, lines, file }: Record<'folder' | 'lines' | 'file', string>,
  { types }: TypeWatch,
) {
  const duck = await openDuck({ folder })
  const columns = types().map(({ type }, index) => `c${index}: ${quoteText(type)}`)
  const names = types().map(({ name }, index) => `c${index} AS "${name.replaceAll('"', '""')}"`)
  await duck.connection
    .run(
      `COPY (SELECT ${names.join()} FROM read_json(${quoteText(lines)}, format = 'newline_delimited',
        columns = {${columns.join()}}, maximum_object_size = ${LONGEST_ROW_BYTES})) TO ${quoteText(file)} (FORMAT parquet)`,
    )
    .finally(() => duck.close())
}

import type { ClientBase, FieldDef, QueryResult } from 'pg'
import Cursor from 'pg-cursor'
import type { BoundText } from './filter.ts'
import { AS_TEXT } from './value-types.ts'

export type TextRow = (string | null)[]

export interface Batch {
  fields: FieldDef[]
  rows: TextRow[]
  /** The server's count, after the statement has ended. */
  rowCount: number | null
}

const FIRST_BATCH_ROWS = 10
const MAX_BATCH_ROWS = 200
/** Target size of a batch, so wide rows come in smaller batches. */
const BATCH_BYTES = 1024 * 1024

/** Reads a statement in batches over the extended protocol, which accepts a single statement only. */
export async function* readBatches(client: ClientBase, { text, values }: BoundText): AsyncGenerator<Batch> {
  const cursor = client.query(new Cursor<TextRow>(text, values, { rowMode: 'array', types: AS_TEXT }))
  let size = FIRST_BATCH_ROWS
  let isOpen = true
  try {
    while (isOpen) {
      const batch = await read(cursor, size).catch((failure) => {
        isOpen = false
        throw failure
      })
      isOpen = batch.rows.length === size
      yield batch
      size = nextSize(batch.rows)
    }
  } finally {
    if (isOpen) await close(cursor, client)
  }
}

/** A closed session never answers, and its statement has ended with it. */
async function close(cursor: Cursor<TextRow>, client: ClientBase): Promise<void> {
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  client.once('end', resolve)
  await Promise.race([cursor.close(), gone])
  client.off('end', resolve)
}

function read(cursor: Cursor<TextRow>, size: number): Promise<Batch> {
  return new Promise((resolve, reject) => {
    cursor.read(size, (failure: Error | undefined | null, rows: TextRow[], result?: QueryResult) => {
      if (failure) reject(failure)
      else resolve({ rows, fields: result?.fields ?? [], rowCount: result?.rowCount ?? null })
    })
  })
}

function nextSize(rows: readonly TextRow[]): number {
  const bytes = rows.reduce((sum, row) => sum + sizeOfRow(row), 0)
  const average = bytes / rows.length
  return Math.max(1, Math.min(MAX_BATCH_ROWS, Math.floor(BATCH_BYTES / Math.max(1, average))))
}

function sizeOfRow(row: TextRow): number {
  return row.reduce((sum, value) => sum + (value?.length ?? 0) + 16, 0)
}

import type { ResultColumn } from '@binnacle/contract'
import type { ClientBase } from 'pg'
import type { RowStream } from '#driver.ts'
import { distinctColumns, type Encoding, encodeValue, FOR_EXPORT } from '#encode.ts'
import type { BoundText } from './filter.ts'
import { type Batch, readBatches, type TextRow } from './row-cursor.ts'
import { columnsOf, type ValueTypes } from './value-types.ts'

/** The rows of a statement as arrays. Reads the first batch ahead, because it carries the columns. */
export async function streamRows(client: ClientBase, rows: BoundText, types: ValueTypes): Promise<RowStream> {
  const batches = readBatches(client, rows)
  const first = await batches.next()
  const { columns } = decoderOf(first.value ?? { fields: [], rows: [], rowCount: null }, types)
  return { columns, batches: decodeBatches(first, batches, types) }
}

async function* decodeBatches(
  first: IteratorResult<Batch, void>,
  rest: AsyncGenerator<Batch, void>,
  types: ValueTypes,
): AsyncGenerator<unknown[][]> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      const { decode } = decoderOf(next.value, types, FOR_EXPORT)
      yield next.value.rows.map(decode)
    }
  } finally {
    await rest.return()
  }
}

export interface RowDecoder {
  columns: ResultColumn[]
  decode(row: TextRow): unknown[]
}

export function decoderOf(
  { fields }: Pick<Batch, 'fields'>,
  types: ValueTypes,
  encoding?: Encoding,
): RowDecoder {
  const columns = columnsOf(fields, types)
  return {
    columns: distinctColumns(columns),
    decode: (row) =>
      columns.map(({ decode }, index) => {
        const text = row[index] ?? null
        return text === null ? null : encodeValue(decode(text), encoding)
      }),
  }
}

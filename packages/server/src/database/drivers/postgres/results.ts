import type { ResultColumn } from '@binnacle/contract'
import type { ClientBase } from 'pg'
import { createCollector } from '../collect-rows.ts'
import type { ResultCaps, RowStream, StatementResult } from '../driver.ts'
import { distinctColumns, type Encoding, encodeValue, FOR_EXPORT } from '../encode.ts'
import { type Batch, readBatches, type TextRow } from './row-cursor.ts'
import type { BoundText } from './selection.ts'
import { columnsOf, type ValueTypes } from './value-types.ts'

/** Runs one statement and keeps its rows up to the caps. One that writes is run to its end all the same. */
export async function collectResult(
  client: ClientBase,
  statement: string,
  { caps, types, isWrite }: { caps: ResultCaps; types: ValueTypes; isWrite: boolean },
): Promise<StatementResult> {
  const collector = createCollector(caps)
  let columns: ResultColumn[] = []
  let rowsAffected = isWrite ? 0 : null
  for await (const batch of readBatches(client, { text: statement, values: [] })) {
    const decoder = decoderOf(batch, types)
    columns = decoder.columns
    const hasRoom = batch.rows.every((row) => collector.add(decoder.decode(row)))
    if (isWrite) rowsAffected = batch.rowCount ?? 0
    else if (!hasRoom) break
  }
  return { columns, ...collector.end(columns), rowsAffected }
}

/** The rows of a statement as lists. The columns come with the first batch, which is read ahead. */
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

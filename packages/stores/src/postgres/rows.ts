import type { ResultColumn } from '@binnacle/contract'
import type { ClientBase } from 'pg'
import type { RowStream } from '#driver.ts'
import { distinctColumns, encodeValue } from '#encode.ts'
import type { ExportCell } from '#export-form.ts'
import { exporterOf } from './export-forms.ts'
import type { BoundText } from './filter.ts'
import { type Batch, readBatches, type TextRow } from './row-cursor.ts'
import { columnsOf, type ValueTypes } from './value-types.ts'

/** The rows of a statement as arrays. Reads the first batch ahead, because it carries the columns. */
export async function streamRows(client: ClientBase, rows: BoundText, types: ValueTypes): Promise<RowStream> {
  const batches = readBatches(client, rows)
  const first = await batches.next()
  const { columns } = exporterOf(first.value?.fields ?? [], types)
  return { columns, batches: exportBatches(first, batches, types) }
}

async function* exportBatches(
  first: IteratorResult<Batch, void>,
  rest: AsyncGenerator<Batch, void>,
  types: ValueTypes,
): AsyncGenerator<ExportCell[][]> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      const { cells } = exporterOf(next.value.fields, types)
      yield next.value.rows.map(cells)
    }
  } finally {
    await rest.return()
  }
}

export interface RowDecoder {
  columns: ResultColumn[]
  decode(row: TextRow): unknown[]
}

export function decoderOf({ fields }: Pick<Batch, 'fields'>, types: ValueTypes): RowDecoder {
  const columns = columnsOf(fields, types)
  return {
    columns: distinctColumns(columns),
    decode: (row) =>
      columns.map(({ decode }, index) => {
        const text = row[index] ?? null
        return text === null ? null : encodeValue(decode(text))
      }),
  }
}

import type { ResultColumn } from '@binnacle/contract'
import type { ClientBase, FieldDef } from 'pg'
import type { RowStream } from '#driver.ts'
import { cutText, distinctColumns, encodeValue } from '#encode.ts'
import type { ExportCell } from '#export-form.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { exporterOf } from './export-forms.ts'
import type { BoundText } from './filter.ts'
import { cutCellOf, EXPORT_LIMITS } from './message-limiter.ts'
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
      refuseCutCells(next.value)
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
        if (text === null) return null
        const cut = cutCellOf(text)
        return cut === undefined ? encodeValue(decode(text)) : encodeCutCell(cut, fields[index])
      }),
  }
}

const BYTEA = 17

/** A blob is only shown by its beginning. Other types are shown as text, since half an array or JSON has no value. */
function encodeCutCell(
  { beginning, bytes }: { beginning: string; bytes: number },
  field?: FieldDef,
): unknown {
  if (field?.dataTypeID !== BYTEA) return cutText(beginning, bytes)
  const preview = encodeValue(Buffer.from(beginning.slice(2), 'hex'))
  // Two digits a byte, after the prefix.
  return { ...Object(preview), bytes: bytes / 2 - 1 }
}

function refuseCutCells({ fields, rows }: Batch): void {
  for (const row of rows) {
    const index = row.findIndex((text) => text !== null && cutCellOf(text) !== undefined)
    if (index !== -1) throw cellTooLarge(fields[index]?.name ?? '')
  }
}

function cellTooLarge(column: string): StoreRefusal {
  const limit = EXPORT_LIMITS.cellBytes / 1024 / 1024
  return new StoreRefusal(
    'store.refused',
    `The column ${column} has a value of more than ${limit} MiB, which cannot be exported. Export the other columns, or parts of it by substr().`,
  )
}

import type { ClientBase } from 'pg'
import type { RowSource, RowStream } from '#driver.ts'
import type { ExportCell } from '#export-form.ts'
import { type BoundText, orderOf, whereOf } from './filter.ts'
import { streamRows } from './rows.ts'
import type { Transaction } from './session.ts'
import { findTable } from './tables.ts'
import type { ValueTypes } from './value-types.ts'

/** All rows of a table or statement. The transaction ends with the last row or when the reader stops. */
export async function openExport(
  transaction: Transaction,
  source: RowSource,
  typesOf: (client: ClientBase) => Promise<ValueTypes>,
): Promise<RowStream> {
  try {
    const types = await typesOf(transaction.client)
    const rows = await streamRows(transaction.client, await textOf(transaction.client, source), types)
    return { columns: rows.columns, batches: batchesOf(transaction, rows.batches) }
  } catch (failure) {
    return transaction.fail(failure)
  }
}

async function* batchesOf(
  transaction: Transaction,
  batches: AsyncIterable<ExportCell[][]>,
): AsyncGenerator<ExportCell[][]> {
  try {
    yield* batches
  } catch (failure) {
    await transaction.fail(failure)
  } finally {
    await transaction.end()
  }
}

async function textOf(client: ClientBase, source: RowSource): Promise<BoundText> {
  if ('statement' in source) return { text: source.statement, values: [] }
  const table = await findTable(client, source.table)
  const where = whereOf(table, source.filter)
  const columns = table.columns.map(({ quoted }) => quoted).join(', ') || 'NULL'
  const order = source.sort === undefined ? '' : orderOf(table, source.sort, false)
  return { text: `SELECT ${columns} FROM ${table.from}${where.text}${order}`, values: where.values }
}

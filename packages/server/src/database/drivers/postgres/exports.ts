import { setTimeout } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import type { RowSource, RowStream } from '../driver.ts'
import { streamRows } from './results.ts'
import { type BoundText, orderOf, whereOf } from './selection.ts'
import type { Visit } from './session.ts'
import { findTable } from './tables.ts'
import type { ValueTypes } from './value-types.ts'

const REST_MS = 1

/** All rows of a table or statement. The transaction ends with the last row, or when the reader goes away. */
export async function openExport(
  visit: Visit,
  source: RowSource,
  typesOf: (client: ClientBase) => Promise<ValueTypes>,
): Promise<RowStream> {
  try {
    const types = await typesOf(visit.client)
    const rows = await streamRows(visit.client, await textOf(visit.client, source), types)
    return { columns: rows.columns, batches: untilLeft(visit, rows.batches) }
  } catch (failure) {
    return visit.fail(failure)
  }
}

async function* untilLeft(visit: Visit, batches: AsyncIterable<unknown[][]>): AsyncGenerator<unknown[][]> {
  try {
    for await (const batch of batches) {
      yield batch
      // The rows are decoded on the thread that answers everybody: an export leaves it half of the time.
      await setTimeout(REST_MS)
    }
  } catch (failure) {
    await visit.fail(failure)
  } finally {
    await visit.leave()
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

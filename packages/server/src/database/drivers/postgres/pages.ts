import pg, { type ClientBase } from 'pg'
import type { Key, Page, PageRequest } from '../driver.ts'
import { rowOf } from '../encode.ts'
import { planPage } from '../page-plan.ts'
import { StoreRefusal } from '../store-refusal.ts'
import { decoderOf } from './results.ts'
import type { TextRow } from './row-cursor.ts'
import { beyondKey, orderOf, whereOf } from './selection.ts'
import { type FoundTable, findTable } from './tables.ts'
import { countRows, type Total } from './totals.ts'
import { AS_TEXT, type ValueTypes } from './value-types.ts'

export async function readPage(client: ClientBase, request: PageRequest, types: ValueTypes): Promise<Page> {
  const table = await findTable(client, request.table)
  const where = whereOf(table, request.filter)
  try {
    const total = await countRows(client, {
      from: table.from,
      where,
      isFiltered: request.filter !== undefined,
    })
    const page = await readRows(client, { table, request, total, types })
    return { ...page, total: total.rows, totalIsEstimate: total.isEstimate }
  } catch (failure) {
    throw request.filter === undefined ? failure : filterRefusal(failure)
  }
}

interface Asked {
  table: FoundTable
  request: PageRequest
  total: Total
  types: ValueTypes
}

async function readRows(
  client: ClientBase,
  { table, request, total, types }: Asked,
): Promise<Pick<Page, 'columns' | 'rows' | 'firstKey' | 'lastKey'>> {
  const { sort, filter } = request
  const hasKey = table.key.length > 0 && sort === undefined
  const anchor = hasKey ? request.anchor : undefined
  const plan = planPage({ ...request, anchor, total: knownEnd(request, table, total) })
  const filtered = whereOf(table, filter)
  const where = plan.key === undefined ? filtered : beyondKey(filtered, table, plan.key, plan.isBackward)
  const { rows: found, fields } = await client.query<TextRow>({
    text: `SELECT ${listOf(table)} FROM ${table.from}${where.text}${orderOf(table, sort, plan.isBackward)} LIMIT ${plan.take} OFFSET ${plan.skip}`,
    values: where.values,
    rowMode: 'array',
    types: AS_TEXT,
  })
  const rows = plan.isBackward ? found.toReversed() : found
  const width = table.columns.length
  const { columns, decode } = decoderOf({ fields: fields.slice(0, width) }, types)
  const keyOfRow = (row: TextRow | undefined): Key | undefined => (hasKey ? row?.slice(width) : undefined)
  return {
    columns,
    rows: rows.map((row) => rowOf(columns, decode(row))),
    firstKey: keyOfRow(rows[0]),
    lastKey: keyOfRow(rows.at(-1)),
  }
}

/** The columns, and after them the key as texts that lose nothing. */
function listOf(table: FoundTable): string {
  const columns = table.columns.map(({ quoted }) => quoted)
  const keys = table.key.map(({ quoted }) => `${quoted}::text`)
  return [...columns, ...keys].join(', ') || 'NULL'
}

/** From the end one can read where rows have an order, and where the end is known or the last page is asked for. */
function knownEnd(request: PageRequest, table: FoundTable, { rows, isEstimate }: Total): number | undefined {
  const isOrdered = table.key.length > 0 || request.sort !== undefined
  if (!isOrdered) return undefined
  const isLastPage = request.offset < rows && request.offset + request.limit >= rows
  return isEstimate && !isLastPage ? undefined : rows
}

/** A value that is none of the column's type is the caller's mistake, not the store's. */
function filterRefusal(failure: unknown): unknown {
  if (!(failure instanceof pg.DatabaseError)) return failure
  const code = failure.code ?? ''
  if (code.startsWith('22')) return badFilter('filter_value', 'is no value of this column')
  if (code === '42883' || code === '42846')
    return badFilter('filter_operator', 'cannot be applied to this column')
  return failure
}

function badFilter(field: string, message: string): StoreRefusal {
  return new StoreRefusal('request.invalid', `The filter ${message}.`, [{ field: `query.${field}`, message }])
}

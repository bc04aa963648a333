import pg, { type ClientBase } from 'pg'
import type { Key, Page, PageRequest } from '../driver.ts'
import { FOR_SCREEN, rowOf } from '../encode.ts'
import { planPage } from '../page-plan.ts'
import { StoreRefusal } from '../store-refusal.ts'
import { decoderOf } from './results.ts'
import type { TextRow } from './row-cursor.ts'
import { beyondKey, orderOf, whereOf } from './selection.ts'
import { type FoundColumn, type FoundTable, findTable } from './tables.ts'
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
  const keyOfRow = (row: TextRow | undefined): Key | undefined =>
    hasKey ? row?.slice(width, width + table.key.length) : undefined
  return {
    columns,
    rows: rows.map((row) => rowOf(columns, withSizes(table, decode(row), row))),
    firstKey: keyOfRow(rows[0]),
    lastKey: keyOfRow(rows.at(-1)),
  }
}

/** The columns, after them the key as texts that lose nothing, and the sizes of blobs, of which only the beginning is read. */
function listOf(table: FoundTable): string {
  const columns = table.columns.map((column) =>
    isBlob(column)
      ? `substr(${column.quoted}, 1, ${FOR_SCREEN.blobBytes}) AS ${pg.escapeIdentifier(column.name)}`
      : column.quoted,
  )
  const keys = table.key.map(({ quoted }) => `${quoted}::text`)
  const sizes = table.columns.filter(isBlob).map(({ quoted }) => `octet_length(${quoted})`)
  return [...columns, ...keys, ...sizes].join(', ') || 'NULL'
}

function withSizes({ columns, key }: FoundTable, values: unknown[], row: TextRow): unknown[] {
  let at = columns.length + key.length
  return values.map((value, index) => {
    const column = columns[index]
    if (column === undefined || !isBlob(column)) return value
    const bytes = Number(row[at])
    at += 1
    return value === null ? null : { ...Object(value), bytes }
  })
}

function isBlob({ castType }: FoundColumn): boolean {
  return castType === 'bytea'
}

/** From the end one can read where rows have a key, and where the end is known or the last page is asked for. */
function knownEnd(request: PageRequest, table: FoundTable, { rows, isEstimate }: Total): number | undefined {
  // Without a key rows that sort alike have no order among them, and read from two ends they would not fit together.
  if (table.key.length === 0) return undefined
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

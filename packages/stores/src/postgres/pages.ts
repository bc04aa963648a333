import pg, { type ClientBase } from 'pg'
import type { Filter, Key, Page, PageRequest } from '#driver.ts'
import { PREVIEW_BYTES, rowOf } from '#encode.ts'
import { planPage } from '#page-plan.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { countRows, type Total } from './count.ts'
import { beyondKey, orderOf, whereOf } from './filter.ts'
import type { TextRow } from './row-cursor.ts'
import { decoderOf } from './rows.ts'
import { findTable, type PostgresColumn, type PostgresTable } from './tables.ts'
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
    throw request.filter === undefined ? failure : filterRefusal(failure, table, request.filter)
  }
}

interface PageRead {
  table: PostgresTable
  request: PageRequest
  total: Total
  types: ValueTypes
}

async function readRows(
  client: ClientBase,
  { table, request, total, types }: PageRead,
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

/** Select list: columns with blobs cut to their beginning, then the key as text, then the full sizes of the blobs. */
function listOf(table: PostgresTable): string {
  const columns = table.columns.map((column) =>
    isBlob(column)
      ? `substr(${column.quoted}, 1, ${PREVIEW_BYTES}) AS ${pg.escapeIdentifier(column.name)}`
      : column.quoted,
  )
  const keys = table.key.map(({ quoted }) => `${quoted}::text`)
  const sizes = table.columns.filter(isBlob).map(({ quoted }) => `octet_length(${quoted})`)
  return [...columns, ...keys, ...sizes].join(', ') || 'NULL'
}

function withSizes({ columns, key }: PostgresTable, values: unknown[], row: TextRow): unknown[] {
  let at = columns.length + key.length
  return values.map((value, index) => {
    const column = columns[index]
    if (column === undefined || !isBlob(column)) return value
    const bytes = Number(row[at])
    at += 1
    return value === null ? null : { ...Object(value), bytes }
  })
}

function isBlob({ castType }: PostgresColumn): boolean {
  return castType === 'bytea'
}

/** The end can be read from when rows have a key and the count is exact or the last page is requested. */
function knownEnd(
  request: PageRequest,
  table: PostgresTable,
  { rows, isEstimate }: Total,
): number | undefined {
  // Without a key, rows that sort equal have no stable order, so pages from both ends could overlap.
  if (table.key.length === 0) return undefined
  const isLastPage = request.offset < rows && request.offset + request.limit >= rows
  return isEstimate && !isLastPage ? undefined : rows
}

/** An invalid filter value or operator is the caller's mistake, not a failure of the store. */
function filterRefusal(failure: unknown, { columns }: PostgresTable, filter: Filter): unknown {
  if (!(failure instanceof pg.DatabaseError)) return failure
  const { column, operator, value } = filter
  const type = columns.find(({ name }) => name === column)?.castType
  const code = failure.code ?? ''
  if (code.startsWith('22')) {
    return badFilter('filter_value', `'${value}'`, `is not a valid value for ${column} (${type})`)
  }
  if (code === '42883' || code === '42846') {
    return badFilter('filter_operator', `'${operator}'`, `cannot be applied to ${column} (${type})`)
  }
  return failure
}

function badFilter(field: string, given: string, message: string): StoreRefusal {
  return new StoreRefusal('request.invalid', `${given} ${message}.`, [{ field: `query.${field}`, message }])
}

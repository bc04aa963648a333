import type { Column } from '@binnacle/contract'
import type { Filter, Sort } from '#driver.ts'
import { unknownColumn } from '#store-refusal.ts'
import { quoteName } from './duck.ts'
import type { ParquetTable } from './folder.ts'
import { readParquet } from './store.ts'

interface RowFilter {
  sort?: Sort | undefined
  filter?: Filter | undefined
}

const OPERATORS = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

/** SELECT of a table with filter and sort; the value is bound. */
export function filteredSql(
  { files }: ParquetTable,
  columns: readonly Column[],
  { sort, filter }: RowFilter,
) {
  const names = columns.map(({ name }) => quoteName(name)).join()
  const where = filter === undefined ? '' : `WHERE ${conditionOf(columns, filter)}`
  const order = sort === undefined ? '' : `ORDER BY ${orderOf(columns, sort)}`
  const isBound = filter !== undefined && !['null', 'not-null'].includes(filter.operator)
  const values: Record<string, string> = isBound ? { value: filter.value } : {}
  return { sql: `SELECT ${names} FROM ${readParquet(files)} ${where} ${order}`, values }
}

/** The value is cast to the column's type; an invalid one matches nothing. */
function conditionOf(columns: readonly Column[], { column, operator }: Filter): string {
  const found = columns.find(({ name }) => name === column)
  if (found === undefined) throw unknownColumn('filter_column', column)
  const name = quoteName(column)
  if (operator === 'null') return `${name} IS NULL`
  if (operator === 'not-null') return `${name} IS NOT NULL`
  if (operator === 'contains') return `contains(lower(CAST(${name} AS VARCHAR)), lower($value))`
  return `${name} ${OPERATORS[operator]} TRY_CAST($value AS ${found.type})`
}

function orderOf(columns: readonly Column[], { column, descending }: Sort): string {
  if (!columns.some(({ name }) => name === column)) throw unknownColumn('sort', column)
  return `${quoteName(column)} ${descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`
}

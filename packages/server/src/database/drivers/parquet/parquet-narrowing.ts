import type { Column } from '@binnacle/contract'
import type { Filter, Sort } from '#database/drivers/driver.ts'
import { unknownColumn } from '#database/drivers/store-refusal.ts'
import type { ParquetTable } from './parquet-folder.ts'
import { readParquet } from './parquet-store.ts'
import { quoteName } from './quote-name.ts'

interface Narrowing {
  sort?: Sort | undefined
  filter?: Filter | undefined
}

const OPERATORS = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

/** All rows of a table in an order and by a condition, the value bound. */
export function narrowedSql(
  { files }: ParquetTable,
  columns: readonly Column[],
  { sort, filter }: Narrowing,
) {
  const names = columns.map(({ name }) => quoteName(name)).join()
  const where = filter === undefined ? '' : `WHERE ${conditionOf(columns, filter)}`
  const order = sort === undefined ? '' : `ORDER BY ${orderOf(columns, sort)}`
  const isBound = filter !== undefined && !['null', 'not-null'].includes(filter.operator)
  const values: Record<string, string> = isBound ? { value: filter.value } : {}
  return { sql: `SELECT ${names} FROM ${readParquet(files)} ${where} ${order}`, values }
}

/** The text is compared in the column's own type; one that is no such value equals nothing. */
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

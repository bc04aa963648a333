import type { Filter, FilterOperator, Key, Sort } from '#driver.ts'
import { unknownColumn } from '#store-refusal.ts'
import type { PostgresColumn, PostgresTable } from './tables.ts'

/** SQL text with its bound values. */
export interface BoundText {
  text: string
  values: unknown[]
}

/** The WHERE clause of a filter, or an empty text. The value is bound. */
export function whereOf(table: PostgresTable, filter: Filter | undefined): BoundText {
  if (filter === undefined) return { text: '', values: [] }
  const column = table.columns.find(({ name }) => name === filter.column)
  if (column === undefined) throw unknownColumn('filter_column', filter.column)
  const condition = CONDITIONS[filter.operator](column)
  const values = filter.operator.endsWith('null') ? [] : [filter.value]
  return { text: ` WHERE ${condition}`, values }
}

/** The ORDER BY clause; empty without a sort or key. */
export function orderOf(table: PostgresTable, sort: Sort | undefined, isBackward: boolean): string {
  const columns = [...(sort === undefined ? [] : [sortColumn(table, sort)]), ...table.key]
  if (columns.length === 0) return ''
  const isDescending = (sort?.descending ?? false) !== isBackward
  const direction = isDescending ? 'DESC' : 'ASC'
  return ` ORDER BY ${columns.map(({ quoted }) => `${quoted} ${direction}`).join(', ')}`
}

/** Adds the condition that rows lie after the key in reading direction. */
export function beyondKey(where: BoundText, table: PostgresTable, key: Key, isBackward: boolean): BoundText {
  const names = table.key.map(({ quoted }) => quoted).join(', ')
  const places = table.key.map(({ castType }, index) => `$${where.values.length + index + 1}::${castType}`)
  const condition = `(${names}) ${isBackward ? '<' : '>'} (${places.join(', ')})`
  const text = where.text === '' ? ` WHERE ${condition}` : `${where.text} AND ${condition}`
  return { text, values: [...where.values, ...key] }
}

function sortColumn(table: PostgresTable, { column }: Sort): PostgresColumn {
  const found = table.columns.find(({ name }) => name === column)
  if (found === undefined) throw unknownColumn('sort', column)
  return found
}

const compare = (operator: string) => (column: PostgresColumn) =>
  `${column.quoted} ${operator} $1::${column.castType}`

const CONDITIONS: Record<FilterOperator, (column: PostgresColumn) => string> = {
  contains: ({ quoted }) => `position(lower($1::text) in lower(${quoted}::text)) > 0`,
  eq: compare('='),
  ne: compare('<>'),
  lt: compare('<'),
  le: compare('<='),
  gt: compare('>'),
  ge: compare('>='),
  null: ({ quoted }) => `${quoted} IS NULL`,
  'not-null': ({ quoted }) => `${quoted} IS NOT NULL`,
}

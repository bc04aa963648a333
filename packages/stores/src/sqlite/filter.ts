import type { Filter } from '#driver.ts'
import { unknownColumn } from '#store-refusal.ts'
import type { Bound } from './rows.ts'
import { quoteName, type TableShape } from './tables.ts'

/** A condition with its bound values. */
export interface Condition {
  sql: string
  values: Bound[]
}

const OPERATORS = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

/** The value is bound as text; SQLite applies the affinity of the column's declared type. */
export function conditionOf({ columns }: TableShape, filter: Filter | undefined): Condition | undefined {
  if (filter === undefined) return undefined
  if (!columns.some(({ name }) => name === filter.column)) throw unknownColumn('filter_column', filter.column)
  const column = quoteName(filter.column)
  if (filter.operator === 'null') return { sql: `${column} IS NULL`, values: [] }
  if (filter.operator === 'not-null') return { sql: `${column} IS NOT NULL`, values: [] }
  if (filter.operator === 'contains') {
    return { sql: `instr(lower(CAST(${column} AS TEXT)), lower(?)) > 0`, values: [filter.value] }
  }
  return { sql: `${column} ${OPERATORS[filter.operator]} ?`, values: [filter.value] }
}

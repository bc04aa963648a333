import type { Filter } from '#database/drivers/driver.ts'
import { unknownColumn } from '#database/drivers/store-refusal.ts'
import type { Bound } from './sqlite-rows.ts'
import { quoteName, type TableShape } from './sqlite-tables.ts'

/** A condition and what is bound to it. */
export interface Condition {
  sql: string
  values: Bound[]
}

const OPERATORS = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

/** The value is bound as text; SQLite compares it in the column's own type, as the declared type asks. */
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

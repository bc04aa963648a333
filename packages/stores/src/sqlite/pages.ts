import type { StatementSync } from 'node:sqlite'
import type { Key, Page, PageRequest, Sort } from '#driver.ts'
import { rowOf } from '#encode.ts'
import { type PagePlan, planPage } from '#page-plan.ts'
import { unknownColumn } from '#store-refusal.ts'
import { countRows } from './count.ts'
import { type Condition, conditionOf } from './filter.ts'
import { columnsOf, encodeRow, rawRows } from './rows.ts'
import type { SqliteStore } from './store.ts'
import { quoteName, shapeOf, type TableShape } from './tables.ts'

export function readPage(store: SqliteStore, request: PageRequest): Page {
  const shape = shapeOf(store, request.table)
  const condition = conditionOf(shape, request.filter)
  const { total, isEstimate } = countRows(store, shape, condition)
  const isByKey = request.sort === undefined && shape.key.length > 0
  const plan = planPage({
    limit: request.limit,
    offset: request.offset,
    anchor: isByKey ? request.anchor : undefined,
    total: isEstimate ? undefined : total,
  })
  const { sql, values } = pageSql(shape, condition, { plan, sort: request.sort })
  const { database, guard } = store
  return guard.trust(() => {
    const statement = database.prepare(sql)
    const keyLength = isByKey ? shape.key.length : 0
    const { first, last, encoded } = readRows(statement, { values, keyLength, isBackward: plan.isBackward })
    const columns = columnsOf(statement, first, keyLength)
    const rows = encoded.map((row) => rowOf(columns, row))
    const keys = { firstKey: keyOf(first, keyLength), lastKey: keyOf(last, keyLength) }
    return { columns, rows, total, totalIsEstimate: isEstimate, ...keys }
  })
}

interface PageRead {
  values: Condition['values']
  keyLength: number
  isBackward: boolean
}

/** Encodes rows as they are read, so only previews of blobs stay in memory. */
function readRows(statement: StatementSync, { values, keyLength, isBackward }: PageRead) {
  const declared = columnsOf(statement, undefined, keyLength)
  const encoded: unknown[][] = []
  const ends: unknown[][] = []
  for (const row of rawRows(statement, values)) {
    encoded.push(encodeRow(row.slice(keyLength), declared))
    ends[ends.length === 0 ? 0 : 1] = row
  }
  if (isBackward) encoded.reverse()
  const [first, last] = isBackward ? [ends.at(-1), ends[0]] : [ends[0], ends.at(-1)]
  return { first, last, encoded }
}

/** SELECT of the visible columns, without conditions. */
export function selectOf({ name, columns }: TableShape, before: readonly string[] = []): string {
  const list = [...before, ...columns.map((column) => quoteName(column.name))]
  return `SELECT ${list.join()} FROM main.${quoteName(name)}`
}

export function orderOf({ columns, key }: TableShape, sort: Sort | undefined, isBackward: boolean): string {
  if (sort !== undefined && !columns.some(({ name }) => name === sort.column)) {
    throw unknownColumn('sort', sort.column)
  }
  const first =
    sort === undefined ? [] : [withDirection(quoteName(sort.column), sort.descending !== isBackward)]
  const parts = [...first, ...key.map((part) => withDirection(part, isBackward))]
  return parts.length === 0 ? '' : `ORDER BY ${parts.join()}`
}

interface PageOrder {
  plan: PagePlan
  sort: Sort | undefined
}

function pageSql(shape: TableShape, condition: Condition | undefined, { plan, sort }: PageOrder): Condition {
  const isByKey = sort === undefined && shape.key.length > 0
  const conditions = [condition, isByKey ? afterKey(shape, plan) : undefined].filter(
    (part) => part !== undefined,
  )
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
  const select = selectOf(shape, isByKey ? shape.key : [])
  return {
    sql: `${select} ${where} ${orderOf(shape, sort, plan.isBackward)} LIMIT ? OFFSET ?`,
    values: [...conditions.flatMap(({ values }) => values), plan.take, plan.skip],
  }
}

function afterKey(
  { key, isByRowid }: TableShape,
  { key: from, isBackward }: PagePlan,
): Condition | undefined {
  if (from?.length !== key.length) return undefined
  const values = isByRowid ? from.map((part) => BigInt(part ?? 0)) : [...from]
  return { sql: `(${key.join()}) ${isBackward ? '<' : '>'} (${key.map(() => '?').join()})`, values }
}

/** Only values that JSON preserves can be a key. */
function keyOf(row: readonly unknown[] | undefined, length: number): Key | undefined {
  if (row === undefined || length === 0) return undefined
  const parts = row
    .slice(0, length)
    .map((part) => (typeof part === 'bigint' ? plainInteger(part, length) : part))
  return parts.every(isPlain) ? parts : undefined
}

function plainInteger(value: bigint, length: number): number | string | undefined {
  const isSafe = BigInt(Number(value)) === value && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER
  if (isSafe) return Number(value)
  return length === 1 ? String(value) : undefined
}

function isPlain(part: unknown): part is string | number {
  return typeof part === 'string' || typeof part === 'number'
}

function withDirection(expression: string, isDescending: boolean): string {
  return isDescending ? `${expression} DESC` : expression
}

import type { RowSource } from '#driver.ts'
import { sizeOf } from '#encode.ts'
import type { ExportCell } from '#export-form.ts'
import { StoreRefusal } from '#store-refusal.ts'
import type { StoreWorkerStream } from '#worker/store-worker.ts'
import { exportCell, exportColumn } from './export-forms.ts'
import { type Condition, conditionOf } from './filter.ts'
import { orderOf, selectOf } from './pages.ts'
import { refuseSqliteErrors } from './refusals.ts'
import { columnsOf, rawRows } from './rows.ts'
import { checkStatement, prepareOne } from './statement.ts'
import type { SqliteStore } from './store.ts'
import { shapeOf } from './tables.ts'

/** A batch ends at the first of both limits. */
const BATCH_ROWS = 256
const BATCH_BYTES = 1024 * 1024

export function streamRows(store: SqliteStore, source: RowSource): StoreWorkerStream {
  const { sql, values } =
    'statement' in source ? statementSql(store, source.statement) : tableSql(store, source)
  const { statement } = 'statement' in source ? prepareOne(store, sql) : prepareInternal(store, sql)
  const columns = columnsOf(statement).map(exportColumn)
  const untyped = columns.map(({ json }) => json === 'untyped')
  const batches = batchesOf()
  // A compiled statement may still fail at any row.
  return { columns, batches: { next: () => refuseSqliteErrors(() => batches.next()) } }

  function* batchesOf(): Generator<ExportCell[][]> {
    let batch: ExportCell[][] = []
    let bytes = 0
    for (const row of rawRows(statement, values)) {
      const cells = row.map((value, index) => exportCell(value, untyped[index]))
      batch.push(cells)
      bytes += cells.reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
      if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
      yield batch
      batch = []
      bytes = 0
    }
    if (batch.length > 0) yield batch
  }
}

function statementSql(store: SqliteStore, sql: string): Condition {
  if (checkStatement(store, sql).kind === 'write')
    throw new StoreRefusal('store.read-only', 'Only the result of a reading statement can be exported.')
  return { sql, values: [] }
}

function tableSql(store: SqliteStore, source: Extract<RowSource, { table: string }>): Condition {
  const shape = shapeOf(store, source.table)
  const condition = conditionOf(shape, source.filter)
  const where = condition === undefined ? '' : `WHERE ${condition.sql}`
  const order = orderOf(shape, source.sort, false)
  return { sql: `${selectOf(shape)} ${where} ${order}`, values: condition?.values ?? [] }
}

function prepareInternal({ database, guard }: SqliteStore, sql: string) {
  return { statement: guard.trust(() => database.prepare(sql)) }
}

import type { StatementSync } from 'node:sqlite'
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
import { checkStatement } from './statement.ts'
import type { SqliteStore } from './store.ts'
import { shapeOf } from './tables.ts'

/** A batch ends at the first of both limits. */
const BATCH_ROWS = 256
const BATCH_BYTES = 1024 * 1024

export function streamRows(store: SqliteStore, source: RowSource): StoreWorkerStream {
  const { statement, values } =
    'statement' in source ? requireRead(store, source.statement) : prepareTable(store, source)
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

interface BoundStatement {
  statement: StatementSync
  values: Condition['values']
}

function requireRead(store: SqliteStore, sql: string): BoundStatement {
  const { kind, statement } = checkStatement(store, sql)
  if (kind === 'write')
    throw new StoreRefusal('store.read-only', 'Only the result of a reading statement can be exported.')
  return { statement, values: [] }
}

function prepareTable(store: SqliteStore, source: Extract<RowSource, { table: string }>): BoundStatement {
  const shape = shapeOf(store, source.table)
  const condition = conditionOf(shape, source.filter)
  const where = condition === undefined ? '' : `WHERE ${condition.sql}`
  const order = orderOf(shape, source.sort, false)
  const sql = `${selectOf(shape)} ${where} ${order}`
  const statement = store.guard.trust(() => store.database.prepare(sql))
  return { statement, values: condition?.values ?? [] }
}

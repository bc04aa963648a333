import type { RowSource } from '#database/drivers/driver.ts'
import { FOR_EXPORT, sizeOf } from '#database/drivers/encode.ts'
import type { EngineStream } from '#database/drivers/hosted/engine.ts'
import { readOnlyConnection } from '#database/drivers/store-refusal.ts'
import { type Condition, conditionOf } from './sqlite-condition.ts'
import { asStoreSays } from './sqlite-fault.ts'
import { orderOf, selectOf } from './sqlite-page.ts'
import { columnsOf, encodeRow, rawRows } from './sqlite-rows.ts'
import { checkStatement, prepareOne } from './sqlite-statement.ts'
import type { SqliteStore } from './sqlite-store.ts'
import { shapeOf } from './sqlite-tables.ts'

/** A batch ends at whichever comes first. */
const BATCH_ROWS = 256
const BATCH_BYTES = 1024 * 1024

export function streamRows(store: SqliteStore, source: RowSource): EngineStream {
  const { sql, values } = 'statement' in source ? reading(store, source.statement) : wholeTable(store, source)
  const { statement } = 'statement' in source ? prepareOne(store, sql) : ours(store, sql)
  const columns = columnsOf(statement)
  const batches = batchesOf()
  // A statement that compiles may still fail at any of its rows.
  return { columns, batches: { next: () => asStoreSays(() => batches.next()) } }

  function* batchesOf(): Generator<unknown[][]> {
    let batch: unknown[][] = []
    let bytes = 0
    for (const row of rawRows(statement, values)) {
      const encoded = encodeRow(row, columns, FOR_EXPORT)
      batch.push(encoded)
      bytes += encoded.reduce<number>((sum, value) => sum + sizeOf(value), 0)
      if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
      yield batch
      batch = []
      bytes = 0
    }
    if (batch.length > 0) yield batch
  }
}

function reading(store: SqliteStore, sql: string): Condition {
  if (checkStatement(store, sql).kind === 'write') throw readOnlyConnection('An export only reads')
  return { sql, values: [] }
}

function wholeTable(store: SqliteStore, source: Extract<RowSource, { table: string }>): Condition {
  const shape = shapeOf(store, source.table)
  const condition = conditionOf(shape, source.filter)
  const where = condition === undefined ? '' : `WHERE ${condition.sql}`
  const order = orderOf(shape, source.sort, false)
  return { sql: `${selectOf(shape)} ${where} ${order}`, values: condition?.values ?? [] }
}

function ours({ database, guard }: SqliteStore, sql: string) {
  return { statement: guard.trust(() => database.prepare(sql)) }
}

import { type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api'
import { createCollector } from '#database/drivers/collect-rows.ts'
import type { CheckedStatement, ResultCaps, StatementResult } from '#database/drivers/driver.ts'
import { FOR_SCREEN } from '#database/drivers/encode.ts'
import { outerWords } from '#database/drivers/sql-tokens.ts'
import { readOnlyConnection, StoreRefusal } from '#database/drivers/store-refusal.ts'
import { columnsOf, encodedChunks } from './duck-rows.ts'
import type { ParquetStore } from './parquet-store.ts'

export async function checkStatement(store: ParquetStore, sql: string): Promise<CheckedStatement> {
  const statement = await prepareReading(store, sql)
  statement.destroySync()
  return { kind: 'read' }
}

export async function runStatement(
  store: ParquetStore,
  sql: string,
  caps: ResultCaps,
): Promise<StatementResult> {
  const statement = await prepareReading(store, sql)
  const result = await statement.stream()
  const columns = columnsOf(result)
  const collector = createCollector(caps)
  for await (const rows of encodedChunks(result, FOR_SCREEN)) {
    if (!rows.every((row) => collector.add(row))) break
  }
  statement.destroySync()
  return { columns, ...collector.end(columns), rowsAffected: null }
}

/** By DuckDB's own parser: one statement, and one that reads. */
export async function prepareReading({ duck }: ParquetStore, sql: string): Promise<DuckDBPreparedStatement> {
  if (outerWords(sql).length === 0) throw new StoreRefusal('store.refused', 'There is no statement.')
  const statements = await duck.extractStatements(sql)
  if (statements.count !== 1) {
    throw new StoreRefusal('store.refused', 'There is more than one statement. Run them one by one.')
  }
  const statement = await statements.prepare(0)
  if (isReading(statement.statementType, sql)) return statement
  statement.destroySync()
  throw readOnlyConnection('Only reading statements can be run on Parquet files')
}

/** EXPLAIN only tells, but EXPLAIN ANALYZE runs what it explains. */
function isReading(type: StatementType, sql: string): boolean {
  if (type === StatementType.SELECT) return true
  return type === StatementType.EXPLAIN && !/\banaly[sz]e\b/i.test(sql)
}

import { type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api'
import { outerWords } from '#sql-tokens.ts'
import { StoreRefusal } from '#store-refusal.ts'
import type { ParquetStore } from './store.ts'

/** Prepares the one statement of a text. DuckDB's own parser decides whether it only reads. */
export async function prepareRead({ duck }: ParquetStore, sql: string): Promise<DuckDBPreparedStatement> {
  if (outerWords(sql).length === 0) throw new StoreRefusal('store.refused', 'Enter a statement.')
  const statements = await duck.extractStatements(sql)
  if (statements.count !== 1) {
    throw new StoreRefusal(
      'store.refused',
      `Only one statement can be run at a time (found ${statements.count}). Select one to run it.`,
    )
  }
  const statement = await statements.prepare(0)
  if (isRead(statement.statementType, sql)) return statement
  statement.destroySync()
  throw new StoreRefusal('store.read-only', 'Parquet files can only be read.')
}

/** EXPLAIN only reads, but EXPLAIN ANALYZE runs the statement. */
function isRead(type: StatementType, sql: string): boolean {
  if (type === StatementType.SELECT) return true
  return type === StatementType.EXPLAIN && !/\banaly[sz]e\b/i.test(sql)
}

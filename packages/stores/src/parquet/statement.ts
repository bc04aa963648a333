import { createCollector } from '#collect-rows.ts'
import type { ResultCaps, StatementResult } from '#driver.ts'
import { prepareRead } from './guard.ts'
import { columnsOf, encodedChunks } from './rows.ts'
import type { ParquetStore } from './store.ts'

export async function runStatement(
  store: ParquetStore,
  sql: string,
  caps: ResultCaps,
): Promise<StatementResult> {
  const statement = await prepareRead(store, sql)
  const result = await statement.stream()
  const columns = columnsOf(result)
  const collector = createCollector(caps)
  for await (const rows of encodedChunks(result)) {
    if (!rows.every((row) => collector.add(row))) break
  }
  statement.destroySync()
  return { columns, ...collector.end(columns), rowsAffected: null }
}

import type { ResultColumn } from '@binnacle/contract'
import type { DuckDBResult } from '@duckdb/node-api'
import { distinctColumns, type Encoding } from '#database/drivers/encode.ts'
import { encodeDuck } from './duck-value.ts'

/** CALL-30 */
export function columnsOf(result: DuckDBResult): ResultColumn[] {
  const names = result.columnNames()
  return distinctColumns(
    result
      .columnTypes()
      .map((type, index) => ({ name: names[index] ?? '', type: type.alias ?? String(type) })),
  )
}

/** The encoded rows of a streamed result, chunk by chunk as DuckDB makes them. */
export async function* encodedChunks(result: DuckDBResult, encoding: Encoding): AsyncGenerator<unknown[][]> {
  const types = result.columnTypes()
  for await (const rows of result.yieldRows()) {
    yield rows.map((row) => row.map((value, index) => encodeDuck(value, types[index], encoding)))
  }
}

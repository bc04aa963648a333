import type { Engine, EnginePlace } from '#database/drivers/hosted/engine.ts'
import { asDuckSays } from './duck-fault.ts'
import { readPage } from './parquet-page.ts'
import { explainStatement } from './parquet-plan.ts'
import { checkStatement, runStatement } from './parquet-statement.ts'
import { openParquetStore, type ParquetStore } from './parquet-store.ts'
import { streamRows } from './parquet-stream.ts'
import { listTables, schemaOf } from './parquet-tables.ts'

/** Inside its own process: a folder of Parquet files through a DuckDB that can reach these files only. */
export async function openParquetEngine({
  place,
}: Extract<EnginePlace, { kind: 'parquet' }>): Promise<Engine> {
  const store = openParquetStore(place)
  const told =
    <Args extends unknown[], Value>(work: (store: ParquetStore, ...args: Args) => Promise<Value>) =>
    (...args: Args) =>
      asDuckSays(async () => work(await store.current(), ...args))

  return {
    ping: told(greet),
    tables: told(listTables),
    schema: told(schemaOf),
    page: told(readPage),
    check: told(checkStatement),
    run: told(runStatement),
    explain: told(explainStatement),
    stream: told(streamRows),
  }
}

async function greet({ duck, tables }: ParquetStore) {
  const read = await duck.runAndReadAll('SELECT version()')
  const warnings = tables.length === 0 ? ['There are no Parquet files here.'] : []
  return { version: `Parquet, read by DuckDB ${read.getRows()[0]?.[0]}`, warnings }
}

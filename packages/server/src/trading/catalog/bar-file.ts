import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Instrument } from '@binnacle/engine'
import { quoteText, renameDurably, sync } from '@binnacle/stores'
import type { DuckDBConnection } from '@duckdb/node-api'

export interface BarRows {
  /** Start, open, high, low, close and volume, in milliseconds, ticks and lots. */
  readonly columns: readonly Float64Array[]
  readonly instrument: Instrument
}

/** The most rows that DuckDB takes in one piece. */
const CHUNK_ROWS = 2048
/** Prices as differences from one to the next: smaller than compressing them, at a third of the work. */
const FORM = 'FORMAT parquet, PARQUET_VERSION v2, COMPRESSION uncompressed'
const NAMES = ['open', 'high', 'low', 'close', 'volume'] as const

/** Adds rows to a file of bars: the file is either as it was or has all of them, whenever the power fails. */
export async function writeBarFile(connection: DuckDBConnection, file: string, rows: BarRows): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE fresh (start DOUBLE, ${NAMES.map((name) => `${name} DOUBLE`).join()})`,
  )
  await append(connection, rows.columns)
  const temporary = `${file}.new`
  await connection.run(`COPY (${selectAll(file, rows.instrument)}) TO ${quoteText(temporary)} (${FORM})`)
  await sync(temporary)
  await renameDurably(temporary, file)
}

async function append(connection: DuckDBConnection, columns: readonly Float64Array[]): Promise<void> {
  const { DOUBLE, DuckDBDataChunk } = await import('@duckdb/node-api')
  const appender = await connection.createAppender('fresh')
  const length = columns[0]?.length ?? 0
  for (let row = 0; row < length; row += CHUNK_ROWS) {
    const parts = columns.map((column) => Array.from(column.subarray(row, row + CHUNK_ROWS)))
    const chunk = DuckDBDataChunk.create(
      columns.map(() => DOUBLE),
      parts[0]?.length ?? 0,
    )
    chunk.setColumns(parts)
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}

function selectAll(file: string, { tick, lot }: Instrument): string {
  const values = NAMES.map((name) => decimal(name, (name === 'volume' ? lot : tick).unitCount))
  const fresh = `SELECT to_timestamp(start / 1000) AS time, ${values.join()} FROM fresh`
  if (!existsSync(file)) return fresh
  const existing = `SELECT * FROM read_parquet(${quoteText(file)}) WHERE time NOT IN (SELECT to_timestamp(start / 1000) FROM fresh)`
  return `${fresh} UNION ALL ${existing} ORDER BY time`
}

/** Exact: steps × units is a whole number that a double holds, and so is what the cast rounds to. */
function decimal(column: string, unitCount: number): string {
  return `(${column} * ${unitCount} / 1e8)::DECIMAL(18,8) AS ${column}`
}

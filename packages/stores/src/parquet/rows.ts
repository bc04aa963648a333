import type { ResultColumn } from '@binnacle/contract'
import {
  DuckDBBlobValue,
  DuckDBListValue,
  DuckDBMapValue,
  type DuckDBResult,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { distinctColumns, encodeValue } from '#encode.ts'

/** CALL-30 */
export function columnsOf(result: DuckDBResult): ResultColumn[] {
  const names = result.columnNames()
  return distinctColumns(
    result
      .columnTypes()
      .map((type, index) => ({ name: names[index] ?? '', type: type.alias ?? String(type) })),
  )
}

/** The encoded rows of a streamed result, in DuckDB's chunks. */
export async function* encodedChunks(result: DuckDBResult): AsyncGenerator<unknown[][]> {
  const types = result.columnTypes()
  for await (const rows of result.yieldRows()) {
    yield rows.map((row) => row.map((value, index) => encodeDuck(value, types[index])))
  }
}

/** CALL-29. Decimals, times of day, intervals and UUIDs are encoded as text. */
function encodeDuck(value: DuckDBValue, type: DuckDBType | undefined): unknown {
  if (value === null || typeof value !== 'object') return scalar(value, type)
  if (value instanceof DuckDBBlobValue) return encodeValue(value.bytes)
  if (value instanceof DuckDBListValue) return value.items.map((item) => encodeDuck(item, undefined))
  if (value instanceof DuckDBStructValue) return struct(value)
  if (value instanceof DuckDBMapValue) return map(value)
  return timeText(value) ?? String(value)
}

/** A timestamp as ISO 8601; undefined for any other value. */
export function timeText(value: DuckDBValue): string | undefined {
  if (typeof value !== 'object' || value === null || !isTimestamp(value)) return undefined
  return isoTime(String(value), value instanceof DuckDBTimestampTZValue)
}

function scalar(value: DuckDBValue, type: DuckDBType | undefined): unknown {
  const isJson = type?.alias === 'JSON' && typeof value === 'string'
  return isJson ? JSON.parse(value) : encodeValue(value)
}

function struct({ entries }: DuckDBStructValue): unknown {
  const encoded = Object.entries(entries).map(([name, item]) => [name, encodeDuck(item, undefined)])
  return Object.fromEntries(encoded)
}

function map({ entries }: DuckDBMapValue): unknown {
  const encoded = entries.map(({ key, value }) => [String(key), encodeDuck(value, undefined)])
  return Object.fromEntries(encoded)
}

function isTimestamp(value: object): boolean {
  return TIMESTAMPS.some((kind) => value instanceof kind)
}

const TIMESTAMPS = [
  DuckDBTimestampValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
]

/** Converts '2026-01-01 10:00:00.5+00' to ISO 8601. A value without zone gets none; a year before Christ stays. */
function isoTime(text: string, hasZone: boolean): string {
  if (!/^\d{4}-\d\d-\d\d \d/.test(text)) return text
  const iso = text.replace(' ', 'T')
  return hasZone ? iso.replace(/\+00(:00)?$/, 'Z').replace(/([+-]\d\d)$/, '$1:00') : iso
}

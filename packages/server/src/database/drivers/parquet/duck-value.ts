import {
  DuckDBBlobValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { type Encoding, encodeValue } from '#database/drivers/encode.ts'

/** CALL-29 for what DuckDB hands over. Its decimals, times of day, intervals and UUIDs are told by their texts. */
export function encodeDuck(value: DuckDBValue, type: DuckDBType | undefined, encoding: Encoding): unknown {
  if (value === null || typeof value !== 'object') return scalar(value, type, encoding)
  if (value instanceof DuckDBBlobValue) return encodeValue(value.bytes, encoding)
  if (value instanceof DuckDBListValue)
    return value.items.map((item) => encodeDuck(item, undefined, encoding))
  if (value instanceof DuckDBStructValue) return struct(value, encoding)
  if (value instanceof DuckDBMapValue) return map(value, encoding)
  return isTimestamp(value) ? isoTime(String(value), value instanceof DuckDBTimestampTZValue) : String(value)
}

function scalar(value: DuckDBValue, type: DuckDBType | undefined, encoding: Encoding): unknown {
  const isJson = type?.alias === 'JSON' && typeof value === 'string'
  return isJson ? JSON.parse(value) : encodeValue(value, encoding)
}

function struct({ entries }: DuckDBStructValue, encoding: Encoding): unknown {
  const encoded = Object.entries(entries).map(([name, item]) => [name, encodeDuck(item, undefined, encoding)])
  return Object.fromEntries(encoded)
}

function map({ entries }: DuckDBMapValue, encoding: Encoding): unknown {
  const encoded = entries.map(({ key, value }) => [String(key), encodeDuck(value, undefined, encoding)])
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

/** DuckDB writes '2026-01-01 10:00:00.5+00'. What has no zone gets none. */
function isoTime(text: string, hasZone: boolean): string {
  if (!/^\d{4}-/.test(text)) return text
  const iso = text.replace(' ', 'T')
  return hasZone ? iso.replace(/\+00(:00)?$/, 'Z').replace(/([+-]\d\d)$/, '$1:00') : iso
}

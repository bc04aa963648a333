import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  type DuckDBResult,
  DuckDBStructType,
  DuckDBStructValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api'
import {
  blobText,
  type ExportCell,
  type ExportColumn,
  type ExportForm,
  floatText,
  JSON_FORM,
  TEXT_FORM,
} from '#export-form.ts'
import { quoteName } from './duck.ts'
import { columnsOf, timeText } from './rows.ts'

export function exportColumns(result: DuckDBResult): ExportColumn[] {
  const types = result.columnTypes()
  return columnsOf(result).map((column, index) => ({ ...column, ...formOf(types[index]) }))
}

/** The rows of a streamed result as cells, in DuckDB's chunks. */
export async function* exportChunks(result: DuckDBResult): AsyncGenerator<ExportCell[][]> {
  const types = result.columnTypes()
  for await (const rows of result.yieldRows()) {
    yield rows.map((row) => row.map((value, index) => cellOf(value, types[index])))
  }
}

function formOf(type: DuckDBType | undefined): ExportForm {
  if (type === undefined) return TEXT_FORM
  if (type.alias === 'JSON') return JSON_FORM
  if (isNested(type)) return { json: 'json', parquet: parquetType(type) }
  const json = NUMBERS.has(type.typeId) ? 'number' : type.typeId === DuckDBTypeId.BOOLEAN ? 'boolean' : 'text'
  return { json, parquet: parquetType(type) }
}

function isNested(type: DuckDBType): boolean {
  return type instanceof DuckDBListType || type instanceof DuckDBStructType || type instanceof DuckDBMapType
}

/** The type itself where a Parquet file can hold it in full. */
function parquetType(type: DuckDBType): string {
  if (type instanceof DuckDBListType) return `${parquetType(type.valueType)}[]`
  if (type instanceof DuckDBMapType)
    return `MAP(${parquetType(type.keyType)}, ${parquetType(type.valueType)})`
  if (type instanceof DuckDBStructType) {
    const entries = type.entryTypes.map(
      (entry, index) => `${quoteName(type.entryNames[index] ?? '')} ${parquetType(entry)}`,
    )
    return `STRUCT(${entries.join(', ')})`
  }
  if (type.alias === 'JSON') return 'JSON'
  if (type instanceof DuckDBDecimalType) return `DECIMAL(${type.width},${type.scale})`
  return PARQUET_TYPES.get(type.typeId) ?? 'VARCHAR'
}

const NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
])

/** Other types are text: Parquet cuts an interval to milliseconds and drops the zone of a time. */
const PARQUET_TYPES: ReadonlyMap<DuckDBTypeId, string> = new Map([
  [DuckDBTypeId.BOOLEAN, 'BOOLEAN'],
  [DuckDBTypeId.TINYINT, 'TINYINT'],
  [DuckDBTypeId.SMALLINT, 'SMALLINT'],
  [DuckDBTypeId.INTEGER, 'INTEGER'],
  [DuckDBTypeId.BIGINT, 'BIGINT'],
  [DuckDBTypeId.UTINYINT, 'UTINYINT'],
  [DuckDBTypeId.USMALLINT, 'USMALLINT'],
  [DuckDBTypeId.UINTEGER, 'UINTEGER'],
  [DuckDBTypeId.UBIGINT, 'UBIGINT'],
  // The sum of a BIGINT column is a HUGEINT, which DuckDB would write as a rounded DOUBLE.
  [DuckDBTypeId.HUGEINT, 'DECIMAL(38,0)'],
  [DuckDBTypeId.UHUGEINT, 'DECIMAL(38,0)'],
  [DuckDBTypeId.FLOAT, 'FLOAT'],
  [DuckDBTypeId.DOUBLE, 'DOUBLE'],
  [DuckDBTypeId.BLOB, 'BLOB'],
  [DuckDBTypeId.DATE, 'DATE'],
  [DuckDBTypeId.TIME, 'TIME'],
  [DuckDBTypeId.TIMESTAMP, 'TIMESTAMP'],
  [DuckDBTypeId.TIMESTAMP_S, 'TIMESTAMP'],
  [DuckDBTypeId.TIMESTAMP_MS, 'TIMESTAMP'],
  [DuckDBTypeId.TIMESTAMP_NS, 'TIMESTAMP_NS'],
  [DuckDBTypeId.TIMESTAMP_TZ, 'TIMESTAMPTZ'],
  [DuckDBTypeId.UUID, 'UUID'],
])

function cellOf(value: DuckDBValue, type: DuckDBType | undefined): ExportCell {
  if (value === null) return null
  if (type !== undefined && isNested(type)) return nestedJson(value, type)
  return value instanceof DuckDBBlobValue ? blobText(value.bytes) : scalarText(value, type)
}

function scalarText(value: DuckDBValue, type?: DuckDBType): string {
  if (value instanceof DuckDBBlobValue) return nestedBlobText(value)
  const isFloat = type?.typeId === DuckDBTypeId.DOUBLE || type?.typeId === DuckDBTypeId.FLOAT
  if (typeof value === 'number' && isFloat) return floatText(value)
  if (value instanceof DuckDBDateValue && Math.abs(value.days) >= INFINITE_DAYS) {
    return value.days > 0 ? 'infinity' : '-infinity'
  }
  return timeText(value) ?? String(value)
}

const INFINITE_DAYS = 2 ** 31 - 1

/** A list, struct or map as JSON, its items in their text forms; a blob inside has DuckDB's form `\x00\xFF`. */
function nestedJson(value: DuckDBValue, type: DuckDBType | undefined): string {
  if (value === null) return 'null'
  if (value instanceof DuckDBListValue) {
    const item = type instanceof DuckDBListType ? type.valueType : undefined
    return `[${value.items.map((entry) => nestedJson(entry, item)).join()}]`
  }
  if (value instanceof DuckDBStructValue) {
    const types = type instanceof DuckDBStructType ? type.entryTypes : []
    return objectJson(
      Object.entries(value.entries).map(([name, item], at) => [name, nestedJson(item, types[at])]),
    )
  }
  if (value instanceof DuckDBMapValue) {
    const item = type instanceof DuckDBMapType ? type.valueType : undefined
    return objectJson(value.entries.map((entry) => [scalarText(entry.key), nestedJson(entry.value, item)]))
  }
  if (type?.alias === 'JSON') return String(value)
  const isPlain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  return isPlain ? String(value) : JSON.stringify(scalarText(value))
}

function nestedBlobText({ bytes }: DuckDBBlobValue): string {
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
}

function objectJson(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`
}

import type { FieldDef } from 'pg'
import { distinctColumns } from '#encode.ts'
import { type ExportColumn, type ExportForm, JSON_FORM, TEXT_FORM } from '#export-form.ts'
import type { TextRow } from './row-cursor.ts'
import { columnsOf, isoTime, isoTimeWithZone, type ValueTypes } from './value-types.ts'

/** Columns and cells of an export, both from the types that the server reports. */
export interface RowExport {
  columns: ExportColumn[]
  cells(row: TextRow): (string | null)[]
}

/** PostgreSQL's own text is the text form of nearly every type. */
export function exporterOf(fields: readonly FieldDef[], types: ValueTypes): RowExport {
  const columns = columnsOf(fields, types)
  const names = distinctColumns(columns)
  const texts = fields.map(({ dataTypeID }) => TEXTS[dataTypeID])
  return {
    columns: columns.map(({ type }, index) => {
      const field = fields[index]
      return { name: names[index]?.name ?? '', type, ...formOf(field, types) }
    }),
    cells: (row) =>
      row.map((text, index) => {
        const convert = texts[index]
        return text === null || convert === undefined ? text : convert(text)
      }),
  }
}

function formOf(field: FieldDef | undefined, types: ValueTypes): ExportForm {
  if (field === undefined) return TEXT_FORM
  const { dataTypeID, dataTypeModifier } = field
  if (dataTypeID === NUMERIC) return { json: 'text', parquet: decimalType(dataTypeModifier) }
  const item = types.get(dataTypeID)?.item
  if (item === undefined || item === BOX || VECTORS.has(dataTypeID)) return FORMS[dataTypeID] ?? TEXT_FORM
  // The number of dimensions is not part of the type, so an array has no list type in Parquet.
  return { json: { arrayOf: ITEM_FORMS[item] ?? 'text' }, parquet: 'VARCHAR' }
}

const NUMERIC = 1700
/** Its arrays are separated by semicolons. */
const BOX = 603
/** int2vector and oidvector count as arrays, but their text is a list without braces. */
const VECTORS: ReadonlySet<number> = new Set([22, 30])

const MAX_DECIMAL_DIGITS = 38

/** A numeric without a precision may have any number of digits, so it is text in Parquet. */
function decimalType(modifier: number): string {
  if (modifier < 4) return 'VARCHAR'
  const precision = (modifier - 4) >> 16
  const scale = (modifier - 4) & 0x7ff
  const fits = precision <= MAX_DECIMAL_DIGITS && scale <= precision
  return fits ? `DECIMAL(${precision},${scale})` : 'VARCHAR'
}

/** Other types are text: Parquet has no time with a zone, and its interval only has milliseconds. */
const FORMS: Readonly<Record<number, ExportForm>> = {
  16: { json: 'boolean', parquet: 'BOOLEAN' },
  17: { json: 'text', parquet: 'BLOB' },
  20: { json: 'text', parquet: 'BIGINT' },
  21: { json: 'number', parquet: 'SMALLINT' },
  23: { json: 'number', parquet: 'INTEGER' },
  26: { json: 'number', parquet: 'UINTEGER' },
  114: JSON_FORM,
  700: { json: 'number', parquet: 'FLOAT' },
  701: { json: 'number', parquet: 'DOUBLE' },
  1082: { json: 'text', parquet: 'DATE' },
  1083: { json: 'text', parquet: 'TIME' },
  1114: { json: 'text', parquet: 'TIMESTAMP' },
  1184: { json: 'text', parquet: 'TIMESTAMPTZ' },
  2950: { json: 'text', parquet: 'UUID' },
  3802: JSON_FORM,
}

/** Items of JSON are text, because `null` in an array is NULL. */
const ITEM_FORMS: Readonly<Record<number, 'boolean' | 'number'>> = {
  16: 'boolean',
  21: 'number',
  23: 'number',
  26: 'number',
  700: 'number',
  701: 'number',
}

const TEXTS: Readonly<Record<number, (text: string) => string>> = {
  16: (text) => (text === 't' ? 'true' : 'false'),
  1114: isoTime,
  1184: isoTimeWithZone,
}

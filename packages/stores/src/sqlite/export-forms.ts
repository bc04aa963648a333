import type { ResultColumn } from '@binnacle/contract'
import {
  blobText,
  type ExportCell,
  type ExportColumn,
  type ExportForm,
  floatText,
  JSON_FORM,
  TEXT_FORM,
} from '#export-form.ts'

/** The form of a column by its declared type, after SQLite's own rules of affinity. */
export function exportColumn({ name, type }: ResultColumn): ExportColumn {
  return { name, type, ...formOf(type ?? '') }
}

function formOf(declared: string): ExportForm {
  if (declared === '' || /^any$/i.test(declared)) return { json: 'untyped', parquet: 'VARCHAR' }
  return FORMS.find(([pattern]) => pattern.test(declared))?.[1] ?? TEXT_FORM
}

/** The first match counts. Dates are text, because SQLite stores them as whatever was written. */
const FORMS: readonly [RegExp, ExportForm][] = [
  [/^jsonb?$/i, JSON_FORM],
  [/int/i, { json: 'text', parquet: 'BIGINT' }],
  [/char|clob|text/i, TEXT_FORM],
  [/blob/i, { json: 'text', parquet: 'BLOB' }],
  [/real|floa|doub/i, { json: 'number', parquet: 'DOUBLE' }],
  // A number of SQLite is a double or an integer, whatever decimals the column declares.
  [/^(numeric|decimal)\b/i, { json: 'number', parquet: 'DOUBLE' }],
  [/^bool/i, { json: 'text', parquet: 'BIGINT' }],
]

/** A value in its text form. SQLite may hold any value in any column; it is written in the form of its own type. */
export function exportCell(value: unknown, isUntyped = false): ExportCell {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'bigint') return isUntyped ? value : String(value)
  if (typeof value === 'number') return isUntyped ? value : floatText(value)
  return value instanceof Uint8Array ? blobText(value) : String(value)
}

import type { ResultColumn } from '@binnacle/contract'
import { parseArray } from '#postgres/array-text.ts'

/** A column of an export with the forms of its values. They follow from the column alone, never from a value. */
export interface ExportColumn extends ResultColumn {
  json: JsonForm
  /** The column's DuckDB type in a Parquet file. Cells that do not fit are refused. */
  parquet: string
}

type ItemForm = 'boolean' | 'number' | 'text'

/** How JSON lines contain the cells; 'untyped' is a SQLite column without a type, whose numbers stay numbers. */
export type JsonForm = ItemForm | 'json' | 'untyped' | { arrayOf: ItemForm }

/** A value in its text form, which CSV contains. Numbers appear only in an untyped column. */
export type ExportCell = string | number | bigint | null

export type ExportForm = Pick<ExportColumn, 'json' | 'parquet'>

export const TEXT_FORM: ExportForm = { json: 'text', parquet: 'VARCHAR' }
export const JSON_FORM: ExportForm = { json: 'json', parquet: 'JSON' }

/** The text form of bytes: `\x` and two hexadecimal digits for each. */
export function blobText(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** The text form of a floating-point number. It has a point or an exponent, so it differs from an integer. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** The text form of a cell, for CSV and Parquet. */
export function cellText(cell: ExportCell): string | null {
  if (cell === null || typeof cell === 'string') return cell
  return typeof cell === 'bigint' ? String(cell) : floatText(cell)
}

/**
 * A cell as JSON text. Undefined for NULL in a column of JSON: it has no member in the line, because `null` is a JSON
 * value.
 */
export function cellJson({ json }: Pick<ExportColumn, 'json'>, cell: ExportCell): string | undefined {
  if (cell === null) return json === 'json' ? undefined : 'null'
  if (typeof cell === 'bigint') return String(cell)
  if (typeof cell === 'number') return numberJson(floatText(cell))
  return typeof json === 'object' ? arrayJson(cell, json.arrayOf) : itemJson(cell, json)
}

function itemJson(text: string, form: JsonForm): string {
  if (form === 'number') return numberJson(text)
  if (form === 'boolean') return /^t/.test(text) ? 'true' : 'false'
  // A line break inside JSON is only space between tokens, and a line of the file is one row.
  if (form === 'json' && isJson(text)) return text.replaceAll(/[\r\n]+/g, ' ')
  return JSON.stringify(text)
}

/** JSON has no NaN and no infinity, so they are strings. */
function numberJson(text: string): string {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? text : JSON.stringify(text)
}

/** Bounds such as [0:1]={…} have no place in a JSON array, so that array stays in PostgreSQL's text form. */
function arrayJson(text: string, form: ItemForm): string {
  if (!text.startsWith('{')) return JSON.stringify(text)
  return nestedJson(parseArray(text, (item) => itemJson(item, form)))
}

/** Joins items that are JSON already. */
function nestedJson(items: readonly unknown[]): string {
  return `[${items.map((item) => (Array.isArray(item) ? nestedJson(item) : (item ?? 'null'))).join()}]`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

import { BlobPreview, type ResultColumn, type Row } from '@binnacle/contract'
import { formatBytes } from '#format/bytes.ts'

/** What fits on one line of a cell. */
const CELL_MAX_CHARS = 44

/** Any JSON value as text. Null is rendered by the cell itself. */
export function cellText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  const blob = BlobPreview.safeParse(value)
  return blob.success ? `blob, ${formatBytes(blob.data.bytes)}` : JSON.stringify(value)
}

/** Numbers sort as numbers, other values by their text; null stays null. */
export function sortValue(value: unknown): string | number | null {
  if (value === null) return null
  return typeof value === 'number' ? value : cellText(value)
}

export function isLong(text: string): boolean {
  return text.length > CELL_MAX_CHARS || text.includes('\n')
}

/**
 * Column names in the order of the reply, then columns that only the rows contain. A backend may leave the columns
 * out, and rows may differ in shape.
 */
export function columnNames(
  rows: readonly Row[],
  columns: readonly Pick<ResultColumn, 'name'>[] = [],
): string[] {
  const names = new Set(columns.map(({ name }) => name))
  for (const row of rows) for (const name of Object.keys(row)) names.add(name)
  return [...names]
}

/** Only a column that contains nothing but numbers is aligned right. */
export function isNumeric(rows: readonly Row[], name: string): boolean {
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined)
  return values.length > 0 && values.every((value) => typeof value === 'number')
}

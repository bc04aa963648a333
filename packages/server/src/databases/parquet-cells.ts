import type { ExportColumn } from '@binnacle/stores'
import { StoreRefusal } from '@binnacle/stores'

/**
 * Refuses a value that the column's Parquet type cannot hold in full: NaN in a DECIMAL, or text in an INTEGER column of
 * SQLite. Changing the type of the column instead would make it depend on its values.
 */
export function checkCell({ name, type, parquet }: ExportColumn, text: string, rowNumber: number): void {
  const fits = CHECKS[parquet.replace(/\(.*/, '')]
  if (fits === undefined || fits(text)) return
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  throw new StoreRefusal(
    'store.refused',
    `Row ${rowNumber} has '${shown}' in the column ${name} (${type}), which is ${parquet} in Parquet and cannot hold it. Export CSV or JSON lines, or export a query that casts the column to text.`,
  )
}

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  BIGINT: (text) => /^-?\d{1,19}$/.test(text),
  DECIMAL: (text) => /^-?\d+(\.\d+)?$/.test(text),
  DOUBLE: (text) => isExactDouble(text),
  BLOB: (text) => /^\\x(?:[\da-f]{2})*$/.test(text),
}

/** A number of PostgreSQL or SQLite in a column of doubles. A SQLite integer may have more digits than a double. */
function isExactDouble(text: string): boolean {
  if (!/^(-?(\d+(\.\d+)?(e[+-]?\d+)?|Infinity)|NaN)$/i.test(text)) return false
  return !/^-?\d{16,}$/.test(text) || BigInt(Number(text)) === BigInt(text)
}

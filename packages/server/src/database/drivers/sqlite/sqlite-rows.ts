import type { StatementSync } from 'node:sqlite'
import type { ResultColumn } from '@binnacle/contract'
import { distinctColumns, type Encoding, encodeValue } from '#database/drivers/encode.ts'

/** The rows of a statement as lists of raw values, read one by one. */
export function* rawRows(statement: StatementSync, values: readonly Bound[] = []): Generator<unknown[]> {
  for (const row of statement.iterate(...values)) {
    // The database is opened to give rows as lists, which its types do not know.
    yield row as unknown as unknown[]
  }
}

export type Bound = string | number | bigint | null

/** CALL-30. What a statement computes has no declared type; the first row's own is told instead. */
export function columnsOf(statement: StatementSync, firstRow?: readonly unknown[], skip = 0): ResultColumn[] {
  const told = statement.columns().map(({ name, type }, index) => ({
    name,
    type: type ?? typeOf(firstRow?.[index]),
  }))
  return distinctColumns(told.slice(skip))
}

/** CALL-29: SQLite keeps JSON as text, and only the declared type tells which texts are JSON. */
export function encodeRow(row: readonly unknown[], columns: readonly ResultColumn[], encoding: Encoding) {
  return row.map((value, index) => {
    const isJson = columns[index]?.type?.toUpperCase() === 'JSON' && typeof value === 'string'
    return isJson ? jsonOr(value) : encodeValue(value, encoding)
  })
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function typeOf(value: unknown): string | null {
  if (typeof value === 'bigint') return 'INTEGER'
  if (typeof value === 'number') return 'REAL'
  if (typeof value === 'string') return 'TEXT'
  return value instanceof Uint8Array ? 'BLOB' : null
}

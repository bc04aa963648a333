import type { StatementSync } from 'node:sqlite'
import type { ResultColumn } from '@binnacle/contract'
import { distinctColumns, encodeValue } from '#encode.ts'

/** The rows of a statement as arrays of raw values. */
export function* rawRows(statement: StatementSync, values: readonly Bound[] = []): Generator<unknown[]> {
  for (const row of statement.iterate(...values)) {
    // The database is opened to return rows as arrays, which Node's types do not know.
    yield row as unknown as unknown[]
  }
}

export type Bound = string | number | bigint | null

/** CALL-30. A computed column has no declared type, so the type of the first row's value is used. */
export function columnsOf(statement: StatementSync, firstRow?: readonly unknown[], skip = 0): ResultColumn[] {
  const columns = statement.columns().map(({ name, type }, index) => ({
    name,
    type: type ?? typeOf(firstRow?.[index]),
  }))
  return distinctColumns(columns.slice(skip))
}

/** CALL-29: SQLite stores JSON as text; only the declared type marks it. */
export function encodeRow(row: readonly unknown[], columns: readonly ResultColumn[]) {
  return row.map((value, index) => {
    const isJson = columns[index]?.type?.toUpperCase() === 'JSON' && typeof value === 'string'
    return isJson ? parseJsonOrText(value) : encodeValue(value)
  })
}

function parseJsonOrText(text: string): unknown {
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

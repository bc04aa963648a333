import type { ResultColumn, Row } from '@binnacle/contract'

/**
 * The names of the columns in the order the server told, or else in the order in which the rows first mention
 * them: a backend need not tell, and rows need not be alike.
 */
export function columnNames(
  rows: readonly Row[],
  told: readonly Pick<ResultColumn, 'name'>[] = [],
): string[] {
  const names = new Set(told.map(({ name }) => name))
  for (const row of rows) for (const name of Object.keys(row)) names.add(name)
  return [...names]
}

/** A column of numbers is set flush right, as long as it holds nothing else. */
export function isNumeric(rows: readonly Row[], name: string): boolean {
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined)
  return values.length > 0 && values.every((value) => typeof value === 'number')
}

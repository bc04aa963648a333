/** One row of a CSV file (RFC 4180). */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * Spreadsheets execute a cell that begins like a formula, and users can write one into the log, as a setting's name for
 * example. The apostrophe makes the cell text.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A number is no formula, also below zero. Always quoted, so that no locale's separator splits the cell. */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

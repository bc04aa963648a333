/** One row of a CSV file (RFC 4180). */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/**
 * Spreadsheets run a cell that begins like a formula, and whoever can name a setting can write one into the
 * log; the apostrophe makes it text.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Always in quotes, so that no separator of some locale can open a second cell. */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

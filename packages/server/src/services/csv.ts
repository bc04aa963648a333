/** One row of a CSV file (RFC 4180), every cell quoted, so that no locale's separator splits it. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => quoteCell(cellText(cell))).join(',')}\r\n`
}

export function quoteCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/**
 * Spreadsheets execute a cell that begins like a formula, and users can write one, as a setting's name for example. The
 * apostrophe makes the cell text. A number with a sign is no formula.
 */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

const FORMULA = /^(?![+-]?(?:[\d.]+(?:e[+-]?\d+)?|Infinity)$)[=+\-@\t\r\n＝＋－＠]/i

function cellText(value: string | number | null): string {
  return typeof value === 'string' ? escapeFormula(value) : String(value ?? '')
}

/** Rows as CSV with a head and the line ends of RFC 4180. */
export function csvOf<Name extends string>(
  columns: readonly Name[],
  rows: readonly Readonly<Record<Name, string | number | boolean>>[],
): string {
  const lines = rows.map((row) => columns.map((name) => csvCell(row[name])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

/** STORE-26: what a spreadsheet runs. A number with a sign is no formula. */
const FORMULA = /^(?![+-]?(?:[\d.]+(?:e[+-]?\d+)?|Infinity)$)[=+\-@\t\r\n＝＋－＠]/i

/** The apostrophe makes a formula text. */
function csvCell(cell: string | number | boolean): string {
  const text = String(cell)
  return quote(FORMULA.test(text) ? `'${text}` : text)
}

/** STORE-560: some locales split at semicolons too. */
function quote(value: string): string {
  return /[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

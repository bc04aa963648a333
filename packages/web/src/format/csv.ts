/** Rows as CSV with a head and the line ends of RFC 4180. */
export function csvOf<Name extends string>(
  columns: readonly Name[],
  rows: readonly Readonly<Record<Name, string | number | boolean>>[],
): string {
  const lines = rows.map((row) => columns.map((name) => quote(String(row[name]))).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

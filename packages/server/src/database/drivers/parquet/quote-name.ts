/** The one place where a name becomes part of SQL for DuckDB. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

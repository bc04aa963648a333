/** The number of a row from the id in a path; 0, which no row has, for what is no number. */
export function rowIdOf(id: string | number): number {
  return /^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : 0
}

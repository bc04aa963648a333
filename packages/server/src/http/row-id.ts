/** Parses the id in a path; returns 0, which no row has, for anything but a row number. */
export function parseRowId(id: string | number): number {
  return /^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : 0
}

/** The time of day in UTC, as in journals and at venues. */
export function formatTimeUtc(at: Date): string {
  return `${at.toISOString().slice(11, 19)} UTC`
}

/** An ISO instant as date and time in UTC; any other text unchanged. */
export function formatInstant(text: string): string {
  const shown = formatDateTime(text)
  return shown === text ? text : `${shown} UTC`
}

/** Like formatInstant, for a column whose title names UTC. */
export function formatDateTime(text: string): string {
  // Date parses almost any text that ends in digits, so only the servers' format is accepted.
  const at = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : Number.NaN)
  return Number.isNaN(at.getTime()) ? text : at.toISOString().slice(0, 19).replace('T', ' ')
}

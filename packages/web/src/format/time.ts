/** The time of day in UTC, which is what journals and venues speak. */
export function formatTimeUtc(at: Date): string {
  return `${at.toISOString().slice(11, 19)} UTC`
}

/** An ISO instant as date and time, or the text itself when it is none. */
export function formatInstant(text: string): string {
  // Browsers read a date into almost any text that ends in digits, so only the form servers send counts.
  const at = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : Number.NaN)
  return Number.isNaN(at.getTime()) ? text : `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The time of day in UTC, which is what journals and venues speak. */
export function formatTimeUtc(at: Date): string {
  return `${at.toISOString().slice(11, 19)} UTC`
}

/** An ISO instant as date and time, or the text itself when it is none. */
export function formatInstant(text: string): string {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** How long ago in one unit, for figures that stopped moving. */
export function formatAge(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/**
 * Creates a formatter that caches the last instant: many log lines and orders share a millisecond, and formatting is the
 * most expensive part of each.
 */
export function createIsoFormatter(): (ms: number) => string {
  let last = Number.NaN
  let text = ''
  return (ms) => {
    if (ms !== last) {
      text = new Date(ms).toISOString()
      last = ms
    }
    return text
  }
}

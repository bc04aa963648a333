/**
 * Makes a writer of instants that keeps the last one: log lines and orders come many to a millisecond, and its text takes
 * longer to make than the rest of them.
 */
export function createIsoTime(): (ms: number) => string {
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

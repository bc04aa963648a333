let upToSecond = ''
let second = Number.NaN
let last = Number.NaN
let text = ''

/**
 * Formats milliseconds as ISO 8601. It caches the last second and the last text: log lines and orders come in the order of
 * time, and formatting a date takes ten times as long.
 */
export function isoTime(ms: number): string {
  if (ms === last) return text
  const inSecond = Math.floor(ms / 1000)
  if (inSecond !== second) {
    upToSecond = new Date(inSecond * 1000).toISOString().slice(0, -'000Z'.length)
    second = inSecond
  }
  // Joined, since JSON.stringify is three times slower for a string that is a concatenation.
  text = [upToSecond, String(Math.floor(ms) - second * 1000).padStart(3, '0'), 'Z'].join('')
  last = ms
  return text
}

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
  if (Math.floor(ms / 1000) !== second) {
    second = Math.floor(ms / 1000)
    upToSecond = new Date(second * 1000).toISOString().slice(0, -'000Z'.length)
  }
  // Joined, since JSON.stringify is three times slower for a string that is a concatenation.
  text = [upToSecond, String(Math.floor(ms) - second * 1000).padStart(3, '0'), 'Z'].join('')
  last = ms
  return text
}

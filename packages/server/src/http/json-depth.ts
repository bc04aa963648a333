const DEPTH_STEPS = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
])

/** Returns whether objects and arrays nest deeper than `maxDepth`. The JSON need not be valid. */
export function isNestedDeeper(json: string, maxDepth: number): boolean {
  // Every bracket needs its closing one, so a shorter text cannot be deeper. Most bodies end here.
  if (json.length <= 2 * maxDepth) return false
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at)
    if (character === '"') at = endOfString(json, at)
    else depth += DEPTH_STEPS.get(character) ?? 0
    if (depth > maxDepth) return true
  }
  return false
}

function endOfString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1
  return at
}

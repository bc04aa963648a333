const STEPS = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
])

/** Whether JSON holds a thing in a thing and so on, more often than that. It need not be valid. */
export function isNestedDeeper(json: string, than: number): boolean {
  // What opens so often must close as often, or the parser refuses it. Most bodies are shorter than that.
  if (json.length <= 2 * than) return false
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at)
    if (character === '"') at = endOfText(json, at)
    else depth += STEPS.get(character) ?? 0
    if (depth > than) return true
  }
  return false
}

function endOfText(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1
  return at
}

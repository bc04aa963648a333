const [QUOTE, BACKSLASH] = ['"', '\\']
const OPENING = new Set(['{', '['])
const CLOSING = new Set(['}', ']'])

/** Whether JSON holds a thing in a thing and so on, more often than that. It need not be valid. */
export function isNestedDeeper(json: string, than: number): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charAt(at)
    if (character === QUOTE) isInText = !isInText
    else if (isInText) at += character === BACKSLASH ? 1 : 0
    else if (OPENING.has(character)) depth += 1
    else if (CLOSING.has(character)) depth -= 1
    if (depth > than) return true
  }
  return false
}

import { textUpTo } from '#text.ts'

const MAX_LENGTH = 20_000
const MAX_DEPTH = 64

/** JSON text of an object. Errors name the line and column. */
export const JsonObjectText = textUpTo(MAX_LENGTH)
  .superRefine((text, context) => {
    const message = faultOf(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({ description: 'JSON text of an object', contentMediaType: 'application/json' })

function faultOf(text: string): string | undefined {
  const scan: Scan = { text, at: 0, open: [] }
  const isJson = read(scan)
  const begin = text.search(/\S/)
  if (!isJson) return `is not JSON: ${foundAt(scan)} at ${placeOf(text, scan.at)}`
  if (text[begin] === '{') return undefined
  return `must be a JSON object, but another value begins at ${placeOf(text, begin)}`
}

function foundAt({ text, at, open }: Scan): string {
  if (open.length > MAX_DEPTH) return `more than ${MAX_DEPTH} levels`
  const found = text.codePointAt(at)
  return found === undefined ? 'it ends' : `unexpected ${JSON.stringify(String.fromCodePoint(found))}`
}

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

/** The position of the scanner; after an error it is where the error is. */
interface Scan {
  text: string
  at: number
  /** The closing brackets of the open objects and lists. */
  open: ('}' | ']')[]
}

/** Reads one token and returns the next step. */
type Step = (scan: Scan) => Step | 'fault' | 'end'

/** Our own scanner: JavaScript engines word JSON errors differently and omit the position for some. */
function read(scan: Scan): boolean {
  let step: Step = readValue
  for (;;) {
    take(scan, BLANKS)
    const next = step(scan)
    if (next === 'end') return scan.at === scan.text.length
    if (next === 'fault') return false
    step = next
  }
}

function readValue(scan: Scan): Step | 'fault' {
  if (takeOpening(scan, '{', '}')) return scan.open.length > MAX_DEPTH ? 'fault' : readFirstKey
  if (takeOpening(scan, '[', ']')) return scan.open.length > MAX_DEPTH ? 'fault' : readFirstItem
  return takeString(scan) || take(scan, NUMBER) || take(scan, WORD) ? readAfterValue : 'fault'
}

function readFirstKey(scan: Scan): Step | 'fault' {
  return takeClosing(scan) ? readAfterValue : readKey(scan)
}

function readFirstItem(scan: Scan): Step | 'fault' {
  return takeClosing(scan) ? readAfterValue : readValue(scan)
}

function readKey(scan: Scan): Step | 'fault' {
  return takeString(scan) ? readColon : 'fault'
}

function readColon(scan: Scan): Step | 'fault' {
  return take(scan, COLON) ? readValue : 'fault'
}

function readAfterValue(scan: Scan): Step | 'fault' | 'end' {
  const closing = scan.open.at(-1)
  if (closing === undefined) return 'end'
  if (takeClosing(scan)) return readAfterValue
  if (!take(scan, COMMA)) return 'fault'
  return closing === '}' ? readKey : readValue
}

const BLANKS = /[ \t\n\r]+/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iy
const WORD = /true|false|null/y
const COLON = /:/y
const COMMA = /,/y
/** Up to the first character that is not allowed in a string: its closing quote if the string is valid. */
const STRING_START = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/uy

function take(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at
  if (!pattern.test(scan.text)) return false
  scan.at = pattern.lastIndex
  return true
}

function takeString(scan: Scan): boolean {
  if (!take(scan, STRING_START)) return false
  if (scan.text[scan.at] !== '"') return false
  scan.at += 1
  return true
}

function takeOpening(scan: Scan, opening: '{' | '[', closing: '}' | ']'): boolean {
  if (scan.text[scan.at] !== opening) return false
  scan.at += 1
  scan.open.push(closing)
  return true
}

function takeClosing(scan: Scan): boolean {
  if (scan.text[scan.at] !== scan.open.at(-1)) return false
  scan.at += 1
  scan.open.pop()
  return true
}

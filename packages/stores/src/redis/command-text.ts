import { StoreRefusal } from '#store-refusal.ts'

/** Splits a command as redis-cli does. Words are bytes, because \xff is allowed. */
export function parseCommand(text: string): Buffer[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [line] = lines
  if (line === undefined) throw refused('Enter a command.')
  if (lines.length > 1)
    throw refused(
      `Only one command can be run at a time (found ${lines.length} lines). Select one to run it.`,
    )
  return splitWords(line.trim())
}

/** A word as a command contains it, quoted where it must be. */
export function quoteWord(word: Buffer): string {
  const text = word.toString('latin1')
  if (/^[\w:.@/-]+$/.test(text)) return text
  const escaped = text.replaceAll(/[^\x20-\x7e]|["\\]/g, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `"${escaped}"`
}

const WORD = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"']+))/y

function splitWords(line: string): Buffer[] {
  const words: Buffer[] = []
  for (let at = 0; at < line.length; at = WORD.lastIndex) {
    WORD.lastIndex = at
    const [whole, double, single, plain] = WORD.exec(line) ?? []
    if (whole === undefined) throw refused('A quote is not closed.')
    if (/\S/.test(line[WORD.lastIndex] ?? ' ')) throw refused('A space is missing after a closing quote.')
    words.push(
      double === undefined
        ? Buffer.from(single?.replaceAll("\\'", "'") ?? plain ?? '')
        : unescapeText(double),
    )
  }
  return words
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' }

function unescapeText(text: string): Buffer {
  const parts = text.match(/\\x[\da-f]{2}|\\.|[^\\]+/gi) ?? []
  return Buffer.concat(
    parts.map((part) => {
      if (/^\\x[\da-f]{2}$/i.test(part)) return Buffer.from(part.slice(2), 'hex')
      const escaped = part.startsWith('\\') ? part.slice(1) : undefined
      return Buffer.from(escaped === undefined ? part : (ESCAPES[escaped] ?? escaped))
    }),
  )
}

function refused(sentence: string): StoreRefusal {
  return new StoreRefusal('store.refused', sentence)
}

import { StoreRefusal } from '../store-refusal.ts'

/** The words of a command as redis-cli reads them; bytes, since \xff is one. */
export function parseCommand(text: string): Buffer[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [line] = lines
  if (line === undefined) throw refused('There is no command in it.')
  if (lines.length > 1) throw refused(`One command at a time, please; here are ${lines.length} lines.`)
  return splitWords(line.trim())
}

const WORD = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"']+))/y

function splitWords(line: string): Buffer[] {
  const words: Buffer[] = []
  for (let at = 0; at < line.length; at = WORD.lastIndex) {
    WORD.lastIndex = at
    const [whole, double, single, plain] = WORD.exec(line) ?? []
    if (whole === undefined) throw refused('A quote in it is not closed.')
    if (/\S/.test(line[WORD.lastIndex] ?? ' ')) throw refused('Between two words there must be a space.')
    words.push(
      double === undefined ? Buffer.from(single?.replaceAll("\\'", "'") ?? plain ?? '') : unescaped(double),
    )
  }
  return words
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' }

function unescaped(text: string): Buffer {
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

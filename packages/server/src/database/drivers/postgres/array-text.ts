/** The items of a PostgreSQL array in its text form, `{1,NULL,"a b",{…}}`, each turned by `decode`. */
export function parseArray(text: string, decode: (item: string) => unknown): unknown[] {
  // Bounds that do not begin at 1 are told before the items: [0:1]={…}.
  const begin = text.indexOf('{')
  const reader = { text, at: begin + 1 }
  return readItems(reader, decode)
}

interface Reader {
  readonly text: string
  at: number
}

function readItems(reader: Reader, decode: (item: string) => unknown): unknown[] {
  const items: unknown[] = []
  while (reader.at < reader.text.length) {
    const next = reader.text[reader.at]
    if (next === '}') {
      reader.at += 1
      return items
    }
    if (next === ',') reader.at += 1
    else items.push(readItem(reader, decode))
  }
  return items
}

function readItem(reader: Reader, decode: (item: string) => unknown): unknown {
  const first = reader.text[reader.at]
  if (first === '{') {
    reader.at += 1
    return readItems(reader, decode)
  }
  if (first === '"') return decode(readQuoted(reader))
  const [plain = ''] = /^[^,}]*/.exec(reader.text.slice(reader.at, endOfPlain(reader))) ?? []
  reader.at += plain.length
  return plain === 'NULL' ? null : decode(plain)
}

function endOfPlain({ text, at }: Reader): number {
  const ends = [text.indexOf(',', at), text.indexOf('}', at)].filter((end) => end !== -1)
  return Math.min(text.length, ...ends)
}

function readQuoted(reader: Reader): string {
  let item = ''
  for (reader.at += 1; reader.text[reader.at] !== '"'; reader.at += 1) {
    if (reader.text[reader.at] === '\\') reader.at += 1
    item += reader.text[reader.at] ?? ''
    if (reader.at >= reader.text.length) return item
  }
  reader.at += 1
  return item
}

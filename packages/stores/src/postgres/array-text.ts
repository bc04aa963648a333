/**
 * Parses a PostgreSQL array text such as `{1,NULL,"a b",{…}}` and decodes each item. In place of postgres-array, which
 * never returns on a truncated text; the text comes from a server that a user chose.
 */
export function parseArray(text: string, decode: (item: string) => unknown): unknown[] {
  // Bounds that do not begin at 1 precede the items: [0:1]={…}.
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
  const start = reader.at
  while (reader.at < reader.text.length && reader.text[reader.at] !== ',' && reader.text[reader.at] !== '}') {
    reader.at += 1
  }
  const plain = reader.text.slice(start, reader.at)
  return plain === 'NULL' ? null : decode(plain)
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

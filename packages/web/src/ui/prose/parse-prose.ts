export type Block =
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'image'; alt: string; source: string }

interface Recogniser {
  starts: (line: string) => boolean
  /** Takes the lines that belong to the block and says how many they were. */
  read: (lines: readonly string[]) => { block: Block | undefined; taken: number }
}

const recognisers: readonly Recogniser[] = [
  { starts: (line) => line.startsWith('```'), read: readCode },
  { starts: (line) => /^#{1,3} /.test(line), read: readHeading },
  { starts: (line) => line.startsWith('|'), read: readTable },
  { starts: (line) => /^(- |\d+\. )/.test(line), read: readList },
  { starts: (line) => /^!\[/.test(line), read: readImage },
  { starts: (line) => line.trim() === '', read: () => ({ block: undefined, taken: 1 }) },
  { starts: () => true, read: readParagraph },
]

/** The small part of Markdown that our own pages are written in; anything else reads as plain text. */
export function parseProse(text: string): Block[] {
  const blocks: Block[] = []
  let rest: readonly string[] = text.split('\n')
  while (rest.length > 0) {
    const line = rest[0] ?? ''
    const { block, taken } = (recognisers.find(({ starts }) => starts(line)) ?? readsAnything).read(rest)
    if (block) blocks.push(block)
    rest = rest.slice(taken)
  }
  return blocks
}

const readsAnything: Recogniser = { starts: () => true, read: readParagraph }

function readCode(lines: readonly string[]) {
  const end = lines.indexOf('```', 1)
  const last = end === -1 ? lines.length : end
  return { block: { kind: 'code', text: lines.slice(1, last).join('\n') } as const, taken: last + 1 }
}

function readHeading(lines: readonly string[]) {
  const line = lines[0] ?? ''
  const level = line.startsWith('### ') ? 3 : 2
  return { block: { kind: 'heading', level, text: line.replace(/^#+ /, '') } as const, taken: 1 }
}

function readTable(lines: readonly string[]) {
  const taken = countWhile(lines, (line) => line.startsWith('|'))
  const [head = [], , ...rows] = lines.slice(0, taken).map(cellsOf)
  return { block: { kind: 'table', head, rows } as const, taken }
}

function readList(lines: readonly string[]) {
  const ordered = /^\d/.test(lines[0] ?? '')
  const taken = countWhile(lines, (line) => /^(- |\d+\. | {2,}\S)/.test(line))
  const items: string[] = []
  for (const line of lines.slice(0, taken)) {
    if (line.startsWith(' ')) items.push(`${items.pop() ?? ''} ${line.trim()}`)
    else items.push(line.replace(/^(- |\d+\. )/, ''))
  }
  return { block: { kind: 'list', ordered, items } as const, taken }
}

function readImage(lines: readonly string[]) {
  const [, alt = '', source = ''] = /^!\[([^\]]*)\]\(([^)]*)\)/.exec(lines[0] ?? '') ?? []
  return { block: { kind: 'image', alt, source } as const, taken: 1 }
}

function readParagraph(lines: readonly string[]) {
  const taken = Math.max(
    1,
    countWhile(lines, (line) => line.trim() !== '' && !/^(```|#|\||- |!\[)/.test(line)),
  )
  return { block: { kind: 'paragraph', text: lines.slice(0, taken).join(' ') } as const, taken }
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

function countWhile(lines: readonly string[], belongs: (line: string) => boolean): number {
  const end = lines.findIndex((line) => !belongs(line))
  return end === -1 ? lines.length : end
}

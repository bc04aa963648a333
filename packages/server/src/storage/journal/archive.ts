import { mkdirSync, readdirSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { chainAfter, damaged, type Line, type Link } from './journal-line.ts'

const compress = promisify(gzip)
/** Done beside trading, so the least work is worth more than the smallest file. */
const QUICKLY = { level: constants.Z_BEST_SPEED }
const expand = promisify(gunzip)

/** A file of entries that left the journal. */
export interface Segment {
  first: number
  last: number
}

/** The entries that left the journal, in compressed files of lines; the first line says what the others are. */
export interface Archive {
  /** Keeps lines that follow one another for good; it resolves when they were read back equal from the disk. */
  keep(before: Link, lines: readonly Line[]): Promise<Segment>
  /** The file that holds an entry, if one does. */
  holding(seq: number): Segment | undefined
  /** A file's lines, each verified against the one before; the first follows `before`. */
  read(segment: Segment): Promise<{ before: Link; lines: Line[] }>
}

const NAME = /^(\d+)-(\d+)\.jsonl\.gz$/
const FORMAT = 1

export function openArchive(folder: string): Archive {
  const segments = listSegments(folder)
  return {
    holding: (seq) =>
      segments.find(({ first, last }) => first <= seq && seq <= last) ?? appeared(folder, segments, seq),
    async keep(before, lines) {
      const segment = { first: before.seq + 1, last: before.seq + lines.length }
      await writeSegment(folder, segment, Buffer.from(print(segment, before, lines)))
      segments.push(segment)
      return segment
    },
    async read(segment) {
      const text = await expand(await readFile(pathOf(folder, segment))).catch((fault: Error) => {
        throw damaged(
          `archived entries ${segment.first} to ${segment.last} cannot be read (${fault.message})`,
        )
      })
      return parse(segment, text.toString())
    },
  }
}

/** Another thread archives while this one reads: a file that is not known yet may be there by now. */
function appeared(folder: string, segments: Segment[], seq: number): Segment | undefined {
  segments.splice(0, segments.length, ...listSegments(folder))
  return segments.find(({ first, last }) => first <= seq && seq <= last)
}

function listSegments(folder: string): Segment[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .map((name) => NAME.exec(name))
    .filter((match) => match !== null)
    .map(([, first, last]) => ({ first: Number(first), last: Number(last) }))
}

function pathOf(folder: string, { first, last }: Segment): string {
  return join(folder, `${first}-${last}.jsonl.gz`)
}

/** Under a temporary name until it was read back: a file with its name is a whole one. */
async function writeSegment(folder: string, segment: Segment, text: Buffer): Promise<void> {
  const path = pathOf(folder, segment)
  const temporary = `${path}.new`
  await mkdir(folder, { recursive: true })
  try {
    await writeDurably(temporary, await compress(text, QUICKLY))
    const stored = await expand(await readFile(temporary))
    if (!stored.equals(text)) throw damaged(`${temporary} does not read back as it was written`)
    await rename(temporary, path)
    await syncFolder(folder)
  } catch (fault) {
    // What is half written only takes the space that a full disk does not have.
    await rm(temporary, { force: true })
    throw fault
  }
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A name is durable when its folder is; systems that cannot open a folder do it by themselves. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

function print({ first, last }: Segment, before: Link, lines: readonly Line[]): string {
  const after = lines.at(-1)?.chain ?? before.chain
  const head = JSON.stringify({ format: FORMAT, first, last, before: before.chain, after })
  return `${head}\n${lines.map(({ text }) => `${text}\n`).join('')}`
}

function parse(segment: Segment, text: string): { before: Link; lines: Line[] } {
  const [headText = '', ...texts] = text.trimEnd().split('\n')
  const head = parseHead(headText)
  const { first, last } = segment
  if (head?.first !== first || head.last !== last || texts.length !== last - first + 1) {
    throw damaged(`the file of archived entries ${first} to ${last} does not hold them`)
  }
  let chain = head.before
  const lines = texts.map((entry, index) => {
    chain = chainAfter(chain, entry)
    return { seq: first + index, text: entry, chain }
  })
  if (chain !== head.after) throw damaged(`archived entries ${first} to ${last} are not as they were written`)
  return { before: { seq: first - 1, chain: head.before }, lines }
}

interface Head extends Segment {
  before: number
  after: number
}

function parseHead(text: string): Head | undefined {
  try {
    const head: Head & { format: number } = JSON.parse(text)
    return head.format === FORMAT ? head : undefined
  } catch {
    return undefined
  }
}

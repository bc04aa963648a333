import { mkdirSync, readdirSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { type ChainLink, chainAfter, damagedFault, type Line } from './journal-line.ts'

const compress = promisify(gzip)
/** Compression shares the processor with trading: speed matters more than size. */
const FAST_COMPRESSION = { level: constants.Z_BEST_SPEED }
const expand = promisify(gunzip)

/** An archive file, named by the range of entries it contains. */
export interface Segment {
  first: number
  last: number
}

/** Journal entries moved to compressed JSON-lines files. The first line of a file is its header. */
export interface Archive {
  /** Writes consecutive lines as one segment; resolves after they were read back and compared. */
  write(before: ChainLink, lines: readonly Line[]): Promise<Segment>
  /** Returns the segment that contains an entry. */
  findSegment(seq: number): Segment | undefined
  /** Returns a segment's lines, verified by their chain from `before` on. */
  read(segment: Segment): Promise<{ before: ChainLink; lines: Line[] }>
}

const SEGMENT_NAME = /^(\d+)-(\d+)\.jsonl\.gz$/
const FORMAT = 1

export function openArchive(folder: string): Archive {
  const segments = listSegments(folder)
  return {
    findSegment: (seq) =>
      segments.find(({ first, last }) => first <= seq && seq <= last) ??
      findNewSegment(folder, segments, seq),
    async write(before, lines) {
      const segment = { first: before.seq + 1, last: before.seq + lines.length }
      await writeSegment(folder, segment, Buffer.from(formatSegment(segment, before, lines)))
      segments.push(segment)
      return segment
    },
    async read(segment) {
      const text = await expand(await readFile(pathOf(folder, segment))).catch((fault: Error) => {
        throw damagedFault(
          `archived entries ${segment.first} to ${segment.last} cannot be read (${fault.message})`,
        )
      })
      return parseSegment(segment, text.toString())
    },
  }
}

/** Lists the folder again: another thread may have written segments in the meantime. */
function findNewSegment(folder: string, segments: Segment[], seq: number): Segment | undefined {
  segments.splice(0, segments.length, ...listSegments(folder))
  return segments.find(({ first, last }) => first <= seq && seq <= last)
}

function listSegments(folder: string): Segment[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .map((name) => SEGMENT_NAME.exec(name))
    .filter((match) => match !== null)
    .map(([, first, last]) => ({ first: Number(first), last: Number(last) }))
}

function pathOf(folder: string, { first, last }: Segment): string {
  return join(folder, `${first}-${last}.jsonl.gz`)
}

/** Keeps a temporary name until the file was read back, so that a file with its final name is complete. */
async function writeSegment(folder: string, segment: Segment, text: Buffer): Promise<void> {
  const path = pathOf(folder, segment)
  const temporary = `${path}.new`
  await mkdir(folder, { recursive: true })
  try {
    await writeFile(temporary, await compress(text, FAST_COMPRESSION), { flush: true })
    const stored = await expand(await readFile(temporary))
    if (!stored.equals(text)) throw damagedFault(`${temporary} does not read back unchanged`)
    await rename(temporary, path)
    await syncFolder(folder)
  } catch (fault) {
    // On a full disk a partial file would only occupy space.
    await rm(temporary, { force: true })
    throw fault
  }
}

/** Makes the rename durable. Systems that cannot open a folder sync it themselves. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

function formatSegment({ first, last }: Segment, before: ChainLink, lines: readonly Line[]): string {
  const after = lines.at(-1)?.chain ?? before.chain
  const head = JSON.stringify({ format: FORMAT, first, last, before: before.chain, after })
  return `${head}\n${lines.map(({ text }) => `${text}\n`).join('')}`
}

function parseSegment(segment: Segment, text: string): { before: ChainLink; lines: Line[] } {
  const [headText = '', ...texts] = text.trimEnd().split('\n')
  const head = parseHead(headText)
  const { first, last } = segment
  if (head?.first !== first || head.last !== last || texts.length !== last - first + 1) {
    throw damagedFault(`the archive file of entries ${first} to ${last} has other contents`)
  }
  let chain = head.before
  const lines = texts.map((entry, index) => {
    chain = chainAfter(chain, entry)
    return { seq: first + index, text: entry, chain }
  })
  if (chain !== head.after)
    throw damagedFault(`archived entries ${first} to ${last} were altered: the checksum differs`)
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

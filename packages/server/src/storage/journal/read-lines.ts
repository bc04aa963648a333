import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { decodeEntry, type JournalEntry, journalGap } from '@binnacle/engine'
import type { Archive } from './archive.ts'
import { CHAIN_START, type ChainLink, damagedFault, type Line, verifyLine } from './journal-line.ts'

/** Entries per read, so that memory use does not grow with the journal. */
const SLICE_ENTRIES = 1000

export type ReadStatements = ReturnType<typeof prepareReadStatements>

export function prepareReadStatements(database: DatabaseSync) {
  return {
    head: database.prepare('SELECT seq, chain FROM head'),
    base: database.prepare('SELECT seq, chain FROM base'),
    slice: database.prepare(
      'SELECT seq, text, chain FROM entries WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
    ),
    link: database.prepare('SELECT seq, chain FROM entries WHERE seq = ?'),
  }
}

/** Yields the entries after the given one up to the head, archived ones included. */
export async function* readEntries(
  statements: ReadStatements,
  archive: Archive,
  after: number,
): AsyncGenerator<JournalEntry> {
  for await (const lines of readSlices(statements, archive, after)) {
    for (const { seq, text } of lines) {
      // Yields the event loop: the API thread reads here too.
      if (seq % SLICE_ENTRIES === 0) await setImmediate()
      yield decodeEntry(text)
    }
  }
}

export interface JournalSearch {
  words: string
  from: number
  to: number
  /** Maximum entries to scan. */
  maxEntries: number
}

/** Yields the entries that have the words. Entries are in the order of time, so the first one is found by binary search. */
export async function* searchEntries(
  statements: ReadStatements,
  archive: Archive,
  { words, from, to, maxEntries }: JournalSearch,
): AsyncGenerator<JournalEntry> {
  let left = maxEntries
  for await (const lines of readSlices(statements, archive, await lastBefore(statements, archive, from))) {
    for (const { text } of lines.slice(0, left)) if (text.includes(words)) yield decodeEntry(text)
    left -= lines.length
    const last = lines.at(-1)
    if (left <= 0 || (last !== undefined && timeOf(last) > to)) return
    // Yields the event loop: the API thread reads here.
    await setImmediate()
  }
}

export interface JournalBackSearch {
  words: string
  /** Only later entries. */
  after: number
  /** Maximum entries to scan. */
  maxEntries: number
}

/** Yields the entries that have the words, newest first. */
export async function* searchBack(
  statements: ReadStatements,
  archive: Archive,
  { words, after, maxEntries }: JournalBackSearch,
): AsyncGenerator<JournalEntry> {
  let upTo = readChainLink(statements.head).seq
  const first = Math.max(after, upTo - maxEntries)
  while (upTo > first) {
    const lines = await linesUpTo(statements, archive, upTo, first)
    for (const { seq, text } of lines.toReversed())
      if (seq > first && text.includes(words)) yield decodeEntry(text)
    upTo = (lines[0]?.seq ?? 1) - 1
    // Yields the event loop: the API thread reads here.
    await setImmediate()
  }
}

/** Returns verified lines that end with an entry: a slice of the journal, or a segment of the archive. */
async function linesUpTo(
  statements: ReadStatements,
  archive: Archive,
  upTo: number,
  first: number,
): Promise<Line[]> {
  const base = readChainLink(statements.base).seq
  const last =
    upTo > base ? findChainLink(statements, Math.max(base, first, upTo - SLICE_ENTRIES)) : undefined
  const lines = last && sliceAfter(statements, last, upTo)
  if (last !== undefined && lines !== undefined) {
    verifySlice(lines, last)
    return lines
  }
  const segment = archive.findSegment(upTo)
  if (segment === undefined) throw damagedFault(`entry ${upTo} is in neither journal nor archive`)
  return (await archive.read(segment)).lines.filter(({ seq }) => seq <= upTo)
}

/** Returns the last entry before a time; 0 without one. */
async function lastBefore(statements: ReadStatements, archive: Archive, at: number): Promise<number> {
  let [low, high] = [0, readChainLink(statements.head).seq]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (timeOf(await readLine(statements, archive, middle)) < at) low = middle
    else high = middle - 1
  }
  return low
}

async function readLine(statements: ReadStatements, archive: Archive, seq: number): Promise<Line> {
  const last = await resolveChainLink(statements, archive, seq - 1)
  const lines = sliceAfter(statements, last, seq) ?? (await readArchived(statements, archive, last, seq))
  const [line] = lines
  if (line === undefined) throw damagedFault(`entry ${seq} is missing`)
  return line
}

function timeOf({ text }: Line): number {
  return decodeEntry(text).at
}

/** Yields verified lines in slices; an altered, removed or truncated entry throws a Fault that names it. */
export async function* readSlices(
  statements: ReadStatements,
  archive: Archive,
  after: number,
): AsyncGenerator<readonly Line[]> {
  const head = readChainLink(statements.head)
  if (after > head.seq) throw damagedFault(`it ends with entry ${head.seq}, before entry ${after}`)
  let last = await resolveChainLink(statements, archive, after)
  while (last.seq < head.seq) {
    const lines =
      sliceAfter(statements, last, head.seq) ?? (await readArchived(statements, archive, last, head.seq))
    last = verifySlice(lines, last)
    yield lines
  }
  if (last.seq > after && last.chain !== head.chain) {
    throw damagedFault(`entry ${last.seq} is not the one the head names`)
  }
}

export function readChainLink(statement: StatementSync): ChainLink {
  // The schema inserts the one row when the file is created.
  return statement.get() as unknown as ChainLink
}

/** Returns the link that the entry after the given one is chained to. */
async function resolveChainLink(
  statements: ReadStatements,
  archive: Archive,
  seq: number,
): Promise<ChainLink> {
  const stored = seq === 0 ? CHAIN_START : findChainLink(statements, seq)
  if (stored !== undefined) return stored
  const segment = archive.findSegment(seq)
  const lines = segment === undefined ? [] : (await archive.read(segment)).lines
  const archived = lines.find((line) => line.seq === seq)
  if (archived === undefined) throw damagedFault(`entry ${seq} is missing`)
  return archived
}

/** Returns an entry's link, if the entry or its successor is still in the journal. */
export function findChainLink(statements: ReadStatements, seq: number): ChainLink | undefined {
  const base = readChainLink(statements.base)
  // One row of these columns, or none.
  return seq === base.seq ? base : (statements.link.get(seq) as unknown as ChainLink | undefined)
}

/** Returns the next lines of the journal; undefined if they were archived. */
function sliceAfter(statements: ReadStatements, last: ChainLink, upTo: number): Line[] | undefined {
  // The columns are those of the statement.
  const lines = statements.slice.all(last.seq, upTo, SLICE_ENTRIES) as unknown as Line[]
  if (lines[0]?.seq === last.seq + 1) return lines
  // Reads the base after the lines: entries archived in between are found in the archive.
  if (readChainLink(statements.base).seq > last.seq) return undefined
  if (lines[0] === undefined) throw damagedFault(`entries ${last.seq + 1} to ${upTo} are missing`)
  throw journalGap(lines[0].seq, last.seq)
}

async function readArchived(
  statements: ReadStatements,
  archive: Archive,
  last: ChainLink,
  upTo: number,
): Promise<Line[]> {
  const segment = archive.findSegment(last.seq + 1)
  if (segment === undefined) {
    const first = last.seq + 1
    throw damagedFault(
      `entries ${first} to ${readChainLink(statements.base).seq} are in neither journal nor archive`,
    )
  }
  const { lines } = await archive.read(segment)
  return lines.filter(({ seq }) => seq > last.seq && seq <= upTo)
}

function verifySlice(lines: readonly Line[], first: ChainLink): ChainLink {
  let last = first
  for (const line of lines) {
    verifyLine(line, last)
    last = line
  }
  return last
}

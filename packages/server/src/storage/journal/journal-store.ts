import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import {
  type EncodedEntry,
  encodeForBoth,
  type Journal,
  type JournalEntry,
  journalGap,
  type Seq,
  type Snapshot,
  seqFrom,
} from '@binnacle/engine'
import { prepareInsert } from '#storage/insert-rows.ts'
import { BUSY_TIMEOUT_MS, WRITER_CHECKPOINT_PAGES } from '#storage/sqlite-limits.ts'
import { prepareTransaction } from '#storage/transaction.ts'
import { type Archive, openArchive } from './archive.ts'
import { type ChainLink, chainAfter, damagedFault, type Line } from './journal-line.ts'
import {
  findChainLink,
  type JournalBackSearch,
  type JournalSearch,
  prepareReadStatements,
  readChainLink,
  readEntries,
  readSlices,
  searchBack,
  searchEntries,
} from './read-lines.ts'

/** Paths of a journal: its database file and its archive folder. */
export interface JournalLocation {
  file: string
  archiveFolder: string
}

/** Read-only access to the journal on its own connection. */
export interface JournalReader {
  entriesAfter(after: Seq): AsyncIterable<JournalEntry>
  /** Yields the entries whose text has the words, of those between two times. */
  search(query: JournalSearch): AsyncIterable<JournalEntry>
  /** Yields the entries whose text has the words, newest first. */
  searchBack(query: JournalBackSearch): AsyncIterable<JournalEntry>
  close(): void
}

/** The journal on disk, with the operations of its one writer. */
export interface JournalStore extends Journal {
  readonly archive: Archive
  /** Encodes entries for views, joined by commas; reuses the texts of the last append. */
  textForViews(entries: readonly JournalEntry[]): string
  /** Reads all entries in the file up to this one; damage is a Fault. Start-up reads only those after a snapshot. */
  verify(upTo: Seq): Promise<void>
  /** The last archived entry. */
  base(): ChainLink
  /** The newest entry. */
  head(): ChainLink
  /** An entry's link, if the entry or its successor is still in the file. */
  chainLinkAt(seq: number): ChainLink | undefined
  /** Lines in the file, unverified. */
  lines(after: number, count: number): Line[]
  /** Deletes entries up to this one, after they were archived. */
  deleteUpTo(upTo: number): void
  /** Entry numbers of the stored snapshots, newest first. */
  snapshotSeqs(): number[]
  close(): void
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, chain INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS base (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS snapshots (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO head VALUES (1, 0, 0);
  INSERT OR IGNORE INTO base VALUES (1, 0, 0);
`

/** Two: if one is damaged, recovery starts from the other. */
const MAX_SNAPSHOTS = 2
/** How long a checkpoint waits for open readers. */
const CHECKPOINT_TIMEOUT_MS = 500

/**
 * Opens the journal. Each entry has a checksum over its text and the previous checksum, and the head names the last
 * entry, so that an altered, removed or truncated entry is detected and named.
 */
export function openJournalStore({ file, archiveFolder }: JournalLocation): JournalStore {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(`PRAGMA wal_autocheckpoint = ${WRITER_CHECKPOINT_PAGES}`)
  database.exec(SCHEMA)
  const statements = prepareStatements(database)
  const inTransaction = prepareTransaction(database)
  const archive = openArchive(archiveFolder)
  let appended: { entries: readonly JournalEntry[]; forViews: string } | undefined
  /** Where the next entry is appended; undefined when the file must be asked. */
  let end: ChainLink | undefined

  return {
    archive,
    textForViews(entries) {
      return appended?.entries === entries ? appended.forViews : joinForViews(entries.map(encodeForBoth))
    },
    async append(entries) {
      const encoded = entries.map(encodeForBoth)
      const from = end ?? readChainLink(statements.head)
      // A commit that failed may have been written.
      end = undefined
      end = inTransaction(() => appendLines(statements, from, entries, encoded))
      appended = { entries, forViews: joinForViews(encoded) }
    },
    entriesAfter: (after) => readEntries(statements, archive, after),
    async verify(upTo) {
      for await (const lines of readSlices(statements, archive, readChainLink(statements.base).seq)) {
        if (lines.some((line) => line.seq >= upTo)) return
      }
    },
    async saveSnapshot({ seq: at, text }) {
      // Encoding the snapshot took a while: pending commands run first.
      await setImmediate()
      inTransaction(() => {
        statements.insertSnapshot.run(at, text, crc32(text))
        statements.dropSnapshots.run(MAX_SNAPSHOTS)
      })
    },
    async latestSnapshot() {
      return findValidSnapshot(statements.snapshots)
    },
    snapshotSeqs: () => statements.snapshotSeqs.all().map((row) => Number(row.seq)),
    base: () => readChainLink(statements.base),
    head: () => readChainLink(statements.head),
    chainLinkAt: (at) => findChainLink(statements, at),
    // The columns are those of the statement.
    lines: (after, count) => statements.slice.all(after, after + count, count) as unknown as Line[],
    deleteUpTo: (upTo) => inTransaction(() => deleteLines(statements, upTo)),
    close() {
      checkpoint(database)
      database.close()
    },
  }
}

/** SQLite checkpoints on close only if no other connection is open; readers may still have one. */
function checkpoint(database: DatabaseSync): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${CHECKPOINT_TIMEOUT_MS}; PRAGMA wal_checkpoint(TRUNCATE)`)
  } catch {
    // On a full disk the write-ahead log stays beside the file.
  }
}

/** Opens a journal for reading while its writer has it open (WAL). */
export function openJournalReader({ file, archiveFolder }: JournalLocation): JournalReader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  const statements = prepareReadStatements(database)
  const archive = openArchive(archiveFolder)
  return {
    entriesAfter: (after) => readEntries(statements, archive, after),
    search: (query) => searchEntries(statements, archive, query),
    searchBack: (query) => searchBack(statements, archive, query),
    close: () => database.close(),
  }
}

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements(database: DatabaseSync) {
  return {
    ...prepareReadStatements(database),
    moveHead: database.prepare('UPDATE head SET seq = ?, chain = ?'),
    moveBase: database.prepare('UPDATE base SET seq = ?, chain = ?'),
    insert: prepareInsert(database, 'INSERT INTO entries', 3),
    deleteEntries: database.prepare('DELETE FROM entries WHERE seq <= ?'),
    snapshots: database.prepare('SELECT seq, text, checksum FROM snapshots ORDER BY seq DESC'),
    snapshotSeqs: database.prepare('SELECT seq FROM snapshots ORDER BY seq DESC'),
    insertSnapshot: database.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)'),
    dropSnapshots: database.prepare(
      'DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)',
    ),
  }
}

function appendLines(
  statements: Statements,
  from: ChainLink,
  entries: readonly JournalEntry[],
  encoded: readonly EncodedEntry[],
): ChainLink {
  let { seq: last, chain } = from
  const rows: (number | string)[] = []
  for (const [index, { text }] of encoded.entries()) {
    const found = entries[index]?.seq ?? 0
    if (found !== last + 1) throw journalGap(found, last)
    chain = chainAfter(chain, text)
    rows.push(found, text, chain)
    last = found
  }
  statements.insert(rows)
  statements.moveHead.run(last, chain)
  return { seq: last, chain }
}

function joinForViews(encoded: readonly EncodedEntry[]): string {
  return encoded.map(({ forViews }) => forViews).join(',')
}

function deleteLines(statements: Statements, upTo: number): void {
  const link = findChainLink(statements, upTo)
  if (link === undefined) throw damagedFault(`entry ${upTo} is missing`)
  statements.deleteEntries.run(upTo)
  statements.moveBase.run(link.seq, link.chain)
}

function findValidSnapshot(statement: StatementSync): Snapshot | null {
  // The columns are those of the statement.
  const rows = statement.all() as unknown as { seq: number; text: string; checksum: number }[]
  const valid = rows.find(({ text, checksum }) => crc32(text) === checksum)
  return valid ? { seq: seqFrom(valid.seq), text: valid.text } : null
}

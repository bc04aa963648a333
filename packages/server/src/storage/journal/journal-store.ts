import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { encodeEntry, type Journal, type JournalEntry, type Seq, type Snapshot, seq } from '@binnacle/engine'
import { CHECKPOINT_PAGES } from '#storage/checkpoint.ts'
import { type Archive, openArchive } from './archive.ts'
import { chainAfter, damaged, gap, type Line, type Link } from './journal-line.ts'
import { keptLink, prepareReading, readEntries, readLink, readSlices } from './read-lines.ts'

/** Where a journal is: its file, and the folder for entries that left it. */
export interface JournalPlace {
  file: string
  archiveFolder: string
}

/** The journal for those who only read it, on a connection of their own. */
export interface JournalReader {
  entriesAfter(after: Seq): AsyncIterable<JournalEntry>
  close(): void
}

/** The journal on disk, and what only its owner does with it. */
export interface JournalStore extends Journal {
  readonly archive: Archive
  /** Entries as the journal writes them, with commas between; those that were just appended are not written a second time. */
  textOf(entries: readonly JournalEntry[]): string
  /** Reads all that is kept up to this entry; damage is a Fault. Start-up folds only what comes after a snapshot. */
  verify(upTo: Seq): Promise<void>
  /** The last entry that is no longer here. */
  base(): Link
  /** The last entry there is. */
  head(): Link
  /** An entry's place and checksum, if it or its successor is still here. */
  linkAt(seq: number): Link | undefined
  /** Lines that are still here, unverified. */
  lines(after: number, count: number): Line[]
  /** Takes the entries up to this one out, after they were kept elsewhere. */
  forget(upTo: number): void
  /** The entries of the snapshots there are, latest first. */
  snapshotSeqs(): number[]
  close(): void
}

const FORM = `
  CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, chain INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS base (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS snapshots (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO head VALUES (1, 0, 0);
  INSERT OR IGNORE INTO base VALUES (1, 0, 0);
`

/** Two, so that one that turns out damaged still leaves a short way home. */
const SNAPSHOTS_KEPT = 2
const BUSY_TIMEOUT_MS = 5000
/** A reader in the middle of reading is not waited for any longer. */
const GATHERING_MS = 500

/**
 * Opens the journal. An entry carries a checksum over its text and its predecessor's checksum, and the head says
 * which entry is the last: one altered, removed or cut off is found and named, never skipped.
 */
export function openJournalStore({ file, archiveFolder }: JournalPlace): JournalStore {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  database.exec(FORM)
  const run = prepareStatements(database)
  const archive = openArchive(archiveFolder)
  let appended: { entries: readonly JournalEntry[]; texts: readonly string[] } | undefined

  return {
    archive,
    textOf: (entries) =>
      (appended?.entries === entries ? appended.texts : entries.map(encodeEntry)).join(','),
    async append(entries) {
      const texts = entries.map(encodeEntry)
      inTransaction(database, () => appendLines(run, entries, texts))
      appended = { entries, texts }
    },
    entriesAfter: (after) => readEntries(run, archive, after),
    async verify(upTo) {
      for await (const lines of readSlices(run, archive, readLink(run.base).seq)) {
        if (lines.some((line) => line.seq >= upTo)) return
      }
    },
    async saveSnapshot({ seq: at, text }) {
      // Writing it down took a while; commands that came meanwhile go first.
      await setImmediate()
      inTransaction(database, () => {
        run.keepSnapshot.run(at, text, crc32(text))
        run.dropSnapshots.run(SNAPSHOTS_KEPT)
      })
    },
    async latestSnapshot() {
      return soundSnapshot(run.snapshots)
    },
    snapshotSeqs: () => run.snapshotSeqs.all().map((row) => Number(row.seq)),
    base: () => readLink(run.base),
    head: () => readLink(run.head),
    linkAt: (at) => keptLink(run, at),
    // The columns are those of the statement.
    lines: (after, count) => run.slice.all(after, after + count, count) as unknown as Line[],
    forget: (upTo) => inTransaction(database, () => forgetLines(run, upTo)),
    close() {
      gatherInFile(database)
      database.close()
    },
  }
}

/** SQLite does so by itself only for whoever closes last and may write; others may still have it open to read. */
function gatherInFile(database: DatabaseSync): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${GATHERING_MS}; PRAGMA wal_checkpoint(TRUNCATE)`)
  } catch {
    // On a full disk all of it stays where it is, in two files.
  }
}

/** Opens a journal that its owner has open too; WAL lets both go on. */
export function openJournalReader({ file, archiveFolder }: JournalPlace): JournalReader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  const run = prepareReading(database)
  const archive = openArchive(archiveFolder)
  return { entriesAfter: (after) => readEntries(run, archive, after), close: () => database.close() }
}

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements(database: DatabaseSync) {
  return {
    ...prepareReading(database),
    moveHead: database.prepare('UPDATE head SET seq = ?, chain = ?'),
    moveBase: database.prepare('UPDATE base SET seq = ?, chain = ?'),
    insert: database.prepare('INSERT INTO entries VALUES (?, ?, ?)'),
    forget: database.prepare('DELETE FROM entries WHERE seq <= ?'),
    snapshots: database.prepare('SELECT seq, text, checksum FROM snapshots ORDER BY seq DESC'),
    snapshotSeqs: database.prepare('SELECT seq FROM snapshots ORDER BY seq DESC'),
    keepSnapshot: database.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)'),
    dropSnapshots: database.prepare(
      'DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)',
    ),
  }
}

function appendLines(run: Statements, entries: readonly JournalEntry[], texts: readonly string[]): void {
  let { seq: last, chain } = readLink(run.head)
  for (const [index, text] of texts.entries()) {
    const found = entries[index]?.seq ?? 0
    if (found !== last + 1) throw gap(found, last)
    chain = chainAfter(chain, text)
    run.insert.run(found, text, chain)
    last = found
  }
  run.moveHead.run(last, chain)
}

function forgetLines(run: Statements, upTo: number): void {
  const link = keptLink(run, upTo)
  if (link === undefined) throw damaged(`entry ${upTo} is missing`)
  run.forget.run(upTo)
  run.moveBase.run(link.seq, link.chain)
}

function soundSnapshot(statement: StatementSync): Snapshot | null {
  // The columns are those of the statement.
  const rows = statement.all() as unknown as { seq: number; text: string; checksum: number }[]
  const sound = rows.find(({ text, checksum }) => crc32(text) === checksum)
  return sound ? { seq: seq(sound.seq), text: sound.text } : null
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (fault) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw fault
  }
}

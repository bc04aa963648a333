import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import {
  decodeEntry,
  encodeEntry,
  Fault,
  type Journal,
  type JournalEntry,
  type Seq,
  type Snapshot,
  seq,
} from '@binnacle/engine'

/** The journal for those who only read it, on a connection of their own. */
export interface JournalReader {
  entriesAfter(after: Seq): Iterable<JournalEntry>
  close(): void
}

/** The journal on disk, and what only its owner does with it. */
export interface JournalStore extends Journal {
  /** Takes the entries up to this one out, after they were kept elsewhere. */
  forget(upTo: Seq): void
  /** The first entry that is still here. */
  firstSeq(): Seq | null
  close(): void
}

const FORM = `
  CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, chain INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS snapshots (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO head VALUES (1, 0, 0);
`

/** Two, so that one that turns out damaged still leaves a short way home. */
const SNAPSHOTS_KEPT = 2

/** Read in slices, so that a long journal is never in memory as a whole. */
const SLICE = 1000

interface EntryRow {
  seq: number
  text: string
  chain: number
}

/**
 * Opens the journal. An entry carries a checksum over its text and its predecessor's checksum, and the head says
 * which entry is the last: one altered, removed or cut off is found and named, never skipped.
 */
export function openJournalStore(file: string): JournalStore {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(FORM)
  const run = prepareStatements(database)

  return {
    async append(entries) {
      inTransaction(database, () => {
        let { seq: last, chain } = readHead(run.head)
        for (const entry of entries) {
          if (entry.seq !== last + 1) throw gap(entry.seq, last)
          const text = encodeEntry(entry)
          chain = crc32(text, chain)
          run.insert.run(entry.seq, text, chain)
          last = entry.seq
        }
        run.moveHead.run(last, chain)
      })
    },
    async *entriesAfter(after) {
      yield* readEntries(run, after)
    },
    async saveSnapshot({ seq: at, text }) {
      inTransaction(database, () => {
        run.keepSnapshot.run(at, text, crc32(text))
        run.dropSnapshots.run(SNAPSHOTS_KEPT)
      })
    },
    async latestSnapshot() {
      return soundSnapshot(run.snapshots)
    },
    forget: (upTo) => void run.forget.run(upTo),
    firstSeq: () => readFirst(run.first),
    close: () => database.close(),
  }
}

/** Opens a journal that its owner has open too; WAL lets both go on. */
export function openJournalReader(file: string): JournalReader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  const run = prepareReading(database)
  return { entriesAfter: (after) => readEntries(run, after), close: () => database.close() }
}

type ReadStatements = ReturnType<typeof prepareReading>

function prepareReading(database: DatabaseSync) {
  return {
    head: database.prepare('SELECT seq, chain FROM head'),
    slice: database.prepare(
      'SELECT seq, text, chain FROM entries WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
    ),
    chainOf: database.prepare('SELECT chain FROM entries WHERE seq = ?'),
  }
}

function prepareStatements(database: DatabaseSync) {
  return {
    ...prepareReading(database),
    moveHead: database.prepare('UPDATE head SET seq = ?, chain = ?'),
    insert: database.prepare('INSERT INTO entries VALUES (?, ?, ?)'),
    first: database.prepare('SELECT min(seq) AS first FROM entries'),
    forget: database.prepare('DELETE FROM entries WHERE seq <= ?'),
    snapshots: database.prepare('SELECT seq, text, checksum FROM snapshots ORDER BY seq DESC'),
    keepSnapshot: database.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)'),
    dropSnapshots: database.prepare(
      'DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT ?)',
    ),
  }
}

function* readEntries(run: ReadStatements, after: Seq): Generator<JournalEntry> {
  const head = readHead(run.head)
  let last: Link = { seq: after, chain: chainBefore(run, after) }
  while (last.seq < head.seq) {
    // The columns are those of the statement.
    const rows = run.slice.all(last.seq, head.seq, SLICE) as unknown as EntryRow[]
    if (rows.length === 0) throw damaged(`entries ${last.seq + 1} to ${head.seq} are missing`)
    for (const row of rows) {
      verifyLink(row, last)
      last = row
      yield decodeEntry(row.text)
    }
  }
  if (last.seq > after && last.seq === head.seq && last.chain !== head.chain) {
    throw damaged(`entry ${last.seq} is not the one the head names`)
  }
}

/** An entry's place and checksum; right after entries that were archived the checksum is unknown. */
interface Link {
  seq: number
  chain: number | undefined
}

function verifyLink(row: EntryRow, last: Link): void {
  if (row.seq !== last.seq + 1) throw gap(row.seq, last.seq)
  const isAsWritten = last.chain === undefined || crc32(row.text, last.chain) === row.chain
  if (!isAsWritten) throw damaged(`entry ${row.seq} is not as it was written`)
}

/** What an entry's checksum is chained to; unknown right after entries that were archived. */
function chainBefore(run: ReadStatements, after: Seq): number | undefined {
  if (after === 0) return 0
  // One row of one column, or none.
  const row = run.chainOf.get(after) as { chain: number } | undefined
  return row?.chain
}

function soundSnapshot(statement: StatementSync): Snapshot | null {
  // The columns are those of the statement.
  const rows = statement.all() as unknown as { seq: number; text: string; checksum: number }[]
  const sound = rows.find(({ text, checksum }) => crc32(text) === checksum)
  return sound ? { seq: seq(sound.seq), text: sound.text } : null
}

function readHead(statement: StatementSync): { seq: number; chain: number } {
  // The form puts the one row there when the file is made.
  return statement.get() as { seq: number; chain: number }
}

function readFirst(statement: StatementSync): Seq | null {
  // An aggregate always answers with one row.
  const { first } = statement.get() as { first: number | null }
  return first === null ? null : seq(first)
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

function gap(found: number, last: number): Fault {
  return new Fault('journal.gap', `entry ${found} follows entry ${last}: something is missing`)
}

function damaged(what: string): Fault {
  return new Fault('journal.damaged', `the journal is damaged: ${what}`)
}

import { type Kysely, sql } from 'kysely'
import { GENESIS } from '#storage/audit/chain.ts'

/**
 * 0009: records are only appended, and the head advances one record at a time. The triggers prevent bugs of the server;
 * the hash chain detects edits of the file.
 */
export async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  for (const statement of LOG_STATEMENTS) await statement.execute(db)
}

const LOG_STATEMENTS = [
  sql`CREATE TABLE audit_log (
    seq INTEGER PRIMARY KEY NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    address TEXT,
    action TEXT NOT NULL,
    entity TEXT NOT NULL,
    target TEXT NOT NULL,
    before TEXT,
    after TEXT,
    request_id TEXT,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT`,
  sql`CREATE INDEX audit_log_by_time ON audit_log (at)`,
  sql`CREATE INDEX audit_log_by_entity ON audit_log (entity, target)`,
  sql`CREATE INDEX audit_log_by_action ON audit_log (action)`,
  sql`CREATE TABLE audit_head (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT`,
  sql`INSERT INTO audit_head (id, seq, hash)
    VALUES (1, ${sql.lit(GENESIS.seq)}, ${sql.lit(GENESIS.hash)})`,
  sql`CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'lines of the audit log are never changed'); END`,
  sql`CREATE TRIGGER audit_log_is_not_cut BEFORE DELETE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'lines of the audit log are never deleted'); END`,
  sql`CREATE TRIGGER audit_head_moves_on BEFORE UPDATE ON audit_head WHEN NEW.seq <> OLD.seq + 1
    BEGIN SELECT RAISE(ABORT, 'the head of the audit log moves on by one line'); END`,
  sql`CREATE TRIGGER audit_head_stays BEFORE DELETE ON audit_head
    BEGIN SELECT RAISE(ABORT, 'the head of the audit log is never deleted'); END`,
]

/**
 * 0009: records from the trading journal come in batches, so the head may advance by several records, but only to an
 * existing record with that hash.
 */
export async function createJournalMark(db: Kysely<unknown>): Promise<void> {
  for (const statement of JOURNAL_MARK_STATEMENTS) await statement.execute(db)
}

const JOURNAL_MARK_STATEMENTS = [
  sql`CREATE TABLE audit_journal_mark (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    seq INTEGER NOT NULL,
    print TEXT NOT NULL
  ) STRICT`,
  sql`INSERT INTO audit_journal_mark (id, seq, print) VALUES (1, 0, '')`,
  sql`DROP TRIGGER audit_head_moves_on`,
  sql`CREATE TRIGGER audit_head_moves_on BEFORE UPDATE ON audit_head
    WHEN NEW.seq <= OLD.seq OR NEW.hash IS NOT (SELECT hash FROM audit_log WHERE seq = NEW.seq)
    BEGIN SELECT RAISE(ABORT, 'the head of the audit log moves on to lines that are there'); END`,
]

/** Finds the records of a request, to which log lines link. */
export async function indexAuditRequests(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX audit_log_by_request ON audit_log (request_id)`.execute(db)
}

/** How far the records of each further engine are; the first embedded one has the older table. */
export async function createEngineMarks(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE audit_engine_marks (
      engine TEXT PRIMARY KEY NOT NULL,
      seq INTEGER NOT NULL,
      print TEXT NOT NULL
    ) STRICT`.execute(db)
}

import { type Kysely, sql } from 'kysely'
import { GENESIS } from '#audit/chain.ts'

/**
 * 0009: lines are only ever added, and the head only ever moves on by one line. The triggers stop our own
 * mistakes; whoever edits the file is found by the chain.
 */
export async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await statement.execute(db)
}

const STATEMENTS = [
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

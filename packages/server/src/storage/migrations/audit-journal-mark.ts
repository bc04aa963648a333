import { type Kysely, sql } from 'kysely'

/**
 * 0009: the trading journal's acts come in batches, so the head may pass over several lines at once, but only ever onto
 * a line that is there with that hash.
 */
export async function followJournal(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await statement.execute(db)
}

const STATEMENTS = [
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

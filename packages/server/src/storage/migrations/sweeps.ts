import { type Kysely, sql } from 'kysely'

/** A sweep is a request with a list of sets; its results are one row for each set and segment. */
export async function createSweepTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE sweeps (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      status TEXT NOT NULL
        CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted')),
      request TEXT NOT NULL,
      names TEXT NOT NULL,
      sets TEXT NOT NULL,
      segments TEXT NOT NULL,
      best TEXT,
      stopped_early INTEGER NOT NULL DEFAULT 0 CHECK (stopped_early IN (0, 1)),
      asked_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      started_at TEXT,
      finished_at TEXT,
      error TEXT
    ) STRICT`.execute(db)
  await sql`
    CREATE TABLE sweep_results (
      sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
      segment INTEGER NOT NULL,
      set_number INTEGER NOT NULL,
      hash TEXT,
      figures TEXT,
      error TEXT,
      PRIMARY KEY (sweep_id, segment, set_number)
    ) STRICT, WITHOUT ROWID`.execute(db)
}

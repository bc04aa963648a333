import { type Kysely, sql } from 'kysely'

export async function createJobs(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      state TEXT NOT NULL
        CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled', 'interrupted')),
      progress REAL NOT NULL CHECK (progress BETWEEN 0 AND 1),
      message TEXT,
      asked_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      started_at TEXT,
      ended_at TEXT,
      result TEXT,
      error TEXT
    ) STRICT`.execute(db)
  await sql`CREATE INDEX jobs_by_state ON jobs (state)`.execute(db)
  await sql`
    CREATE TABLE job_log (
      job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      line INTEGER NOT NULL,
      at TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (job_id, line)
    ) STRICT, WITHOUT ROWID`.execute(db)
}

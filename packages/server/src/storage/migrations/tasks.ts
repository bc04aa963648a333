import { type Kysely, sql } from 'kysely'

export async function createTasks(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE tasks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      kind TEXT NOT NULL,
      schedule TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
      handled_until TEXT NOT NULL
    ) STRICT`.execute(db)
  // SQLite treats NULLs as distinct in UNIQUE: manual runs never conflict.
  await sql`
    CREATE TABLE task_runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
      scheduled_for TEXT,
      state TEXT NOT NULL,
      asked_by TEXT NOT NULL,
      job_id INTEGER,
      started_at TEXT,
      ended_at TEXT,
      message TEXT,
      result TEXT,
      UNIQUE (task_id, scheduled_for)
    ) STRICT`.execute(db)
}

/** ADM-18: every night at 03:00 UTC, unless the folder already has such a task. */
export async function seedStoreCheck(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO tasks (name, kind, schedule, time_zone, is_enabled, handled_until)
    SELECT 'Check of own stores', 'stores.check', '0 3 * * *', 'UTC', 1, ${new Date().toISOString()}
    WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'stores.check' OR name = 'Check of own stores')`.execute(
    db,
  )
}

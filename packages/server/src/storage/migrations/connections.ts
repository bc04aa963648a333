import { type Kysely, sql } from 'kysely'

export async function createConnections(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE connections (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      type TEXT NOT NULL CHECK (type IN ('sqlite', 'postgresql', 'redis', 'parquet')),
      database_name TEXT NOT NULL,
      sealed_string TEXT NOT NULL,
      is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
      writable INTEGER NOT NULL CHECK (writable IN (0, 1)),
      time_limit_s INTEGER NOT NULL
    ) STRICT`.execute(db)
}

/** Connection ids are text: the server's own stores have names instead of numbers. */
export async function createStatements(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE statement_history (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      connection_id TEXT NOT NULL,
      query TEXT NOT NULL,
      status TEXT NOT NULL,
      executed_at TEXT NOT NULL,
      execution_time REAL NOT NULL,
      error_message TEXT
    ) STRICT`.execute(db)
  await sql`CREATE INDEX statement_history_by_connection ON statement_history (connection_id, id)`.execute(db)
  await sql`
    CREATE TABLE saved_queries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      connection_id TEXT NOT NULL,
      name TEXT NOT NULL COLLATE NOCASE,
      query TEXT NOT NULL,
      created_at TEXT NOT NULL,
      UNIQUE (connection_id, name)
    ) STRICT`.execute(db)
}

export async function addPrivilegedRole(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE connections ADD COLUMN accept_privileged_role INTEGER NOT NULL DEFAULT 0
      CHECK (accept_privileged_role IN (0, 1))`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export async function createBackups(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE backups (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      connection TEXT NOT NULL,
      connection_name TEXT NOT NULL,
      type TEXT NOT NULL,
      backup_type TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('completed', 'damaged')),
      created_at TEXT NOT NULL,
      manifest_sha256 TEXT NOT NULL
    ) STRICT`.execute(db)
  await sql`CREATE INDEX backups_by_connection ON backups (connection, id)`.execute(db)
  await sql`
    CREATE TABLE backup_retention (
      connection TEXT PRIMARY KEY,
      keep_newest INTEGER NOT NULL CHECK (keep_newest >= 1),
      keep_days INTEGER NOT NULL CHECK (keep_days >= 0)
    ) STRICT, WITHOUT ROWID`.execute(db)
}

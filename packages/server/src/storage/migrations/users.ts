import { type Kysely, sql } from 'kysely'

export async function createUsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      username TEXT NOT NULL UNIQUE COLLATE NOCASE,
      email TEXT,
      role TEXT NOT NULL CHECK (role IN ('viewer', 'trader', 'risk', 'admin')),
      is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
      password_hash TEXT
    ) STRICT`.execute(db)
}

/** The only account of a new server. It has no password, so sign-in is not possible yet. */
export async function seedAdmin(db: Kysely<unknown>): Promise<void> {
  await sql`INSERT INTO users (username, role, is_active) VALUES ('admin', 'admin', 1)`.execute(db)
}

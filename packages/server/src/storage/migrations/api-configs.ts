import { type Kysely, sql } from 'kysely'

export async function createApiConfigs(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE api_configs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      endpoint TEXT NOT NULL,
      is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1))
    ) STRICT`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Configurations that were changed; an adapter without a row is as delivered. */
export async function createAdapters(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE adapters (
      id TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      api_key TEXT,
      secret TEXT,
      settings TEXT NOT NULL,
      changed_at TEXT NOT NULL,
      changed_by TEXT NOT NULL
    ) STRICT`.execute(db)
}

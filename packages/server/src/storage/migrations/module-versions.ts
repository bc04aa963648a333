import { type Kysely, sql } from 'kysely'

/** Sources of custom strategies as they were saved; the file in strategies/ is what runs. */
export async function createModuleVersions(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE module_versions (
      name TEXT NOT NULL,
      version INTEGER NOT NULL,
      source TEXT NOT NULL,
      saved_at TEXT NOT NULL,
      saved_by TEXT NOT NULL,
      PRIMARY KEY (name, version)
    ) STRICT, WITHOUT ROWID`.execute(db)
}

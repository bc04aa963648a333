import { type Kysely, sql } from 'kysely'

/** Who changed which settings and when. Values of secrets are sealed, as in the settings. */
export async function createSettingVersions(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE setting_versions (
    version INTEGER NOT NULL,
    key TEXT NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    PRIMARY KEY (version, key)
  ) STRICT, WITHOUT ROWID`.execute(db)
}

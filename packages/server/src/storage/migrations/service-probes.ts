import { type Kysely, sql } from 'kysely'

export async function createServiceProbes(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE service_probes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      service_id INTEGER NOT NULL REFERENCES services (id) ON DELETE CASCADE,
      at TEXT NOT NULL,
      response_time REAL NOT NULL,
      error TEXT
    ) STRICT`.execute(db)
  await sql`CREATE INDEX service_probes_by_service ON service_probes (service_id, id)`.execute(db)
}

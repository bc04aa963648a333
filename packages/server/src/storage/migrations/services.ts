import { type Kysely, sql } from 'kysely'

export async function createServices(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE services (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      app TEXT UNIQUE CHECK (app IN ('trading', 'admin', 'database')),
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      description TEXT NOT NULL,
      url TEXT,
      CHECK ((app IS NULL) <> (url IS NULL))
    ) STRICT`.execute(db)
}

/** Routes added by users. Routes of the server itself come from the contract; only their switch is stored. */
export async function createRoutes(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE routes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      service_id INTEGER NOT NULL REFERENCES services (id),
      method TEXT NOT NULL,
      path TEXT NOT NULL,
      description TEXT NOT NULL,
      parameters TEXT NOT NULL,
      is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
      requires_auth INTEGER NOT NULL CHECK (requires_auth IN (0, 1)),
      UNIQUE (service_id, method, path)
    ) STRICT`.execute(db)
  await sql`CREATE TABLE disabled_calls (call_id TEXT PRIMARY KEY NOT NULL) STRICT`.execute(db)
}

export async function seedServices(db: Kysely<unknown>): Promise<void> {
  for (const { app, name, description } of OUR_SERVICES) {
    await sql`INSERT INTO services (app, name, description) VALUES (${app}, ${name}, ${description})`.execute(
      db,
    )
  }
}

const OUR_SERVICES = [
  { app: 'trading', name: 'Trading API', description: 'Engine, strategies, orders, positions and risk' },
  { app: 'admin', name: 'Admin Database API', description: 'Settings, users, API services and audit log' },
  { app: 'database', name: 'Database Management', description: 'Connections, tables, queries and backups' },
]

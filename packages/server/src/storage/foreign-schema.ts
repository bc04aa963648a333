import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type Migrations, openMigrated } from './migrate.ts'

interface Entry {
  type: string
  name: string
  sql: string
}

const ACTIVE = "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name"

/** Names a trigger or view of a store that its migrations do not create: it would run with every change of the store. */
export async function findForeignEntry(
  database: DatabaseSync,
  migrations: Migrations = {},
): Promise<string | undefined> {
  const found = database.prepare(ACTIVE).all().map(toEntry)
  if (found.length === 0) return undefined
  const expected = await entriesOf(executedIn(database, migrations))
  const foreign = found.find(
    (one) =>
      !expected.some(({ type, name, sql }) => type === one.type && name === one.name && sql === one.sql),
  )
  return foreign && `the ${foreign.type} '${foreign.name}'`
}

/** A store of an earlier version has what its own migrations created. */
function executedIn(database: DatabaseSync, migrations: Migrations): Migrations {
  const tables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").all()
  if (tables.length === 0) return {}
  const names = new Set(
    database
      .prepare('SELECT name FROM kysely_migration')
      .all()
      .map(({ name }) => name),
  )
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => names.has(name)))
}

async function entriesOf(migrations: Migrations): Promise<Entry[]> {
  const db = await openMigrated(':memory:', migrations)
  try {
    return (await sql.raw<Entry>(ACTIVE).execute(db)).rows
  } finally {
    await db.destroy()
  }
}

function toEntry({ type, name, sql }: Record<string, unknown>): Entry {
  return { type: String(type), name: String(name), sql: String(sql) }
}

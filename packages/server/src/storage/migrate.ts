import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartRefusal } from '#config/start-refusal.ts'
import { openSqlite } from './sqlite.ts'

export type Migrations = Readonly<Record<string, Migration>>

/** Opens a store and migrates it. A damaged file or one of a newer version is refused and left unchanged. */
export async function openMigrated<Schema>(file: string, migrations: Migrations): Promise<Kysely<Schema>> {
  return openAndMigrate<Schema>(file, migrations).catch((fault) => refuseUnusable(file, fault))
}

export function refuseUnusable(file: string, fault: Error & { code?: string; errstr?: string }): never {
  if (fault.code !== 'ERR_SQLITE_ERROR') throw fault
  throw new StartRefusal(
    `${file} cannot be used (${fault.errstr}). Correct its permissions or restore it from a backup, or set BINNACLE_DATA to another folder.`,
  )
}

async function openAndMigrate<Schema>(file: string, migrations: Migrations): Promise<Kysely<Schema>> {
  const db = openSqlite<Schema>(file)
  await checkIntegrity(db, file)
  const unknown = (await listExecuted(db)).find((name) => !(name in migrations))
  if (unknown !== undefined) {
    throw new StartRefusal(
      `${file} was written by a newer version of Binnacle (it has '${unknown}'). Start that version, or set BINNACLE_DATA to another folder.`,
    )
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return db
}

/** Checks every page, which takes about half a second per million audit records. */
async function checkIntegrity<Schema>(db: Kysely<Schema>, file: string): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`PRAGMA quick_check(1)`.execute(db)
  const found = rows[0]?.quick_check.split('\n').at(-1) ?? 'ok'
  if (found === 'ok') return
  await db.destroy()
  throw new StartRefusal(
    `${file} is damaged (${found}). Restore it from a backup, or set BINNACLE_DATA to another folder.`,
  )
}

async function listExecuted<Schema>(db: Kysely<Schema>): Promise<string[]> {
  const tables = await sql`SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'`.execute(db)
  if (tables.rows.length === 0) return []
  const executed = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return executed.rows.map(({ name }) => name)
}

import { type Kysely, sql } from 'kysely'
import { FIRST_SETTINGS } from './first-settings.ts'
import type { Migrations } from './migrate.ts'

/** The admin store's history, oldest first. What has been released is never edited, only followed. */
export const ADMIN_MIGRATIONS: Migrations = {
  '0001-settings': { up: createSettings },
  '0002-first-settings': { up: seedSettings },
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .modifyEnd(sql`STRICT`)
    .execute()
}

/** Written once, so what a person changes or deletes afterwards stays changed or deleted. */
async function seedSettings(db: Kysely<unknown>): Promise<void> {
  for (const { key, value, description, category } of FIRST_SETTINGS) {
    await sql`INSERT INTO settings (key, value, description, category)
              VALUES (${key}, ${value}, ${description}, ${category})`.execute(db)
  }
}

import { type Kysely, sql } from 'kysely'
import { FIRST_SETTINGS } from './first-settings.ts'

export async function createSettings(db: Kysely<unknown>): Promise<void> {
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
export async function seedSettings(db: Kysely<unknown>): Promise<void> {
  for (const { key, value, description, category } of FIRST_SETTINGS) {
    await sql`INSERT INTO settings (key, value, description, category)
              VALUES (${key}, ${value}, ${description}, ${category})`.execute(db)
  }
}

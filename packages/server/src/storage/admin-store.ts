import { type Kysely, sql } from 'kysely'
import { ADMIN_MIGRATIONS } from './admin-migrations.ts'
import { openMigrated } from './migrate.ts'

export interface SettingRow {
  key: string
  value: string
  description: string
  category: string
}

export interface SettingsStore {
  /** In the order in which they were added. */
  list(): Promise<SettingRow[]>
  /** Returns whether there is such a setting. */
  update(key: string, value: string): Promise<boolean>
}

/** What administrators keep: settings now, later users, services, routes, tasks and the audit log. */
export interface AdminStore {
  settings: SettingsStore
  close(): Promise<void>
}

/** Opens the store and brings it to its newest form, creating and seeding it the first time. */
export async function openAdminStore(file: string): Promise<AdminStore> {
  const db = await openMigrated<AdminTables>(file, ADMIN_MIGRATIONS)
  return { settings: createSettingsStore(db), close: () => db.destroy() }
}

interface AdminTables {
  settings: SettingRow
}

function createSettingsStore(db: Kysely<AdminTables>): SettingsStore {
  return {
    list: () => db.selectFrom('settings').selectAll().orderBy(sql`rowid`).execute(),
    async update(key, value) {
      const { numUpdatedRows } = await db
        .updateTable('settings')
        .set({ value })
        .where('key', '=', key)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

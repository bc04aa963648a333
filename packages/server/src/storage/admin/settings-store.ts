import { sql } from 'kysely'
import type { Act, Deed } from '#audit/act.ts'
import type { AdminDb, SettingRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

export interface SettingsStore {
  /** In the order in which they were added. */
  list(): Promise<SettingRow[]>
  find(key: string): Promise<SettingRow | undefined>
  add(act: Act, setting: SettingRow): Promise<Outcome<SettingRow, 'exists'>>
  update(act: Act, key: string, change: SettingChange): Promise<Outcome<SettingRow, 'unknown'>>
  remove(act: Act, key: string): Promise<Outcome<SettingRow, 'unknown'>>
}

export type SettingChange = Change<Omit<SettingRow, 'key'>>

export function createSettingsStore(db: AdminDb, audited: Audited): SettingsStore {
  return {
    list: () => db.selectFrom('settings').selectAll().orderBy(sql`rowid`).execute(),
    find: (key) => findSetting(db, key),
    add: (act, setting) =>
      audited(act, async (tx) => {
        if (await findSetting(tx, setting.key)) return refused('exists')
        await tx.insertInto('settings').values(setting).execute()
        return done(setting, deed(setting.key, null, setting))
      }),
    update: (act, key, change) =>
      audited(act, async (tx) => {
        const before = await findSetting(tx, key)
        if (before === undefined) return refused('unknown')
        const after = { ...merge(before, change), key }
        await tx.updateTable('settings').set(after).where('key', '=', key).execute()
        return done(after, deed(key, before, after))
      }),
    remove: (act, key) =>
      audited(act, async (tx) => {
        const before = await findSetting(tx, key)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('settings').where('key', '=', key).execute()
        return done(before, deed(key, before, null))
      }),
  }
}

function findSetting(db: AdminDb, key: string): Promise<SettingRow | undefined> {
  return db.selectFrom('settings').selectAll().where('key', '=', key).executeTakeFirst()
}

function deed(key: string, before: SettingRow | null, after: SettingRow | null): Deed {
  return { entity: 'setting', target: key, before, after }
}

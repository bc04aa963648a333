import { sql } from 'kysely'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, SettingRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

export interface SettingsStore {
  /** In insertion order. */
  list(): Promise<SettingRow[]>
  find(key: string): Promise<SettingRow | undefined>
  add(audit: AuditContext, setting: SettingRow): Promise<Outcome<SettingRow, 'exists'>>
  update(audit: AuditContext, key: string, change: SettingChange): Promise<Outcome<SettingRow, 'unknown'>>
  remove(audit: AuditContext, key: string): Promise<Outcome<SettingRow, 'unknown'>>
}

export type SettingChange = Change<Omit<SettingRow, 'key'>>

export function createSettingsStore(db: AdminDb, audited: Audited): SettingsStore {
  return {
    list: () => db.selectFrom('settings').selectAll().orderBy(sql`rowid`).execute(),
    find: (key) => findSetting(db, key),
    add: (audit, setting) =>
      audited(audit, async (tx) => {
        if (await findSetting(tx, setting.key)) return refused('exists')
        await tx.insertInto('settings').values(setting).execute()
        return done(setting, auditChange(setting.key, null, setting))
      }),
    update: (audit, key, change) =>
      audited(audit, async (tx) => {
        const before = await findSetting(tx, key)
        if (before === undefined) return refused('unknown')
        const after = { ...merge(before, change), key }
        await tx.updateTable('settings').set(after).where('key', '=', key).execute()
        return done(after, auditChange(key, before, after))
      }),
    remove: (audit, key) =>
      audited(audit, async (tx) => {
        const before = await findSetting(tx, key)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('settings').where('key', '=', key).execute()
        return done(before, auditChange(key, before, null))
      }),
  }
}

function findSetting(db: AdminDb, key: string): Promise<SettingRow | undefined> {
  return db.selectFrom('settings').selectAll().where('key', '=', key).executeTakeFirst()
}

function auditChange(key: string, before: SettingRow | null, after: SettingRow | null): AuditChange {
  return { entity: 'setting', target: key, before, after }
}

import type { Result } from '@binnacle/engine'
import { sql } from 'kysely'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import { isSecretName } from '#storage/audit/mask.ts'
import { MASKED } from '#storage/audit/mask-statement.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import type { AdminDb, SettingRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

/** The values of secret settings, such as smtp_password, are sealed. */
export interface SettingsStore {
  /** In insertion order. */
  list(): Promise<SettingRow[]>
  find(key: string): Promise<SettingRow | undefined>
  add(audit: AuditContext, setting: SettingRow): Promise<Result<SettingRow, 'exists'>>
  update(audit: AuditContext, key: string, change: SettingChange): Promise<Result<SettingRow, 'unknown'>>
  remove(audit: AuditContext, key: string): Promise<Result<SettingRow, 'unknown'>>
}

export type SettingChange = Change<Omit<SettingRow, 'key'>>

export function createSettingsStore(db: AdminDb, audited: Audited, secrets: SecretBox): SettingsStore {
  const seal = (setting: SettingRow) => sealSetting(setting, secrets)
  return {
    list: () => db.selectFrom('settings').selectAll().orderBy(sql`rowid`).execute(),
    find: (key) => findSetting(db, key),
    add: (audit, setting) =>
      audited(audit, async (tx) => {
        if (await findSetting(tx, setting.key)) return refused('exists')
        await tx.insertInto('settings').values(seal(setting)).execute()
        return done(setting, auditChange(setting.key, null, setting))
      }),
    update: (audit, key, change) =>
      audited(audit, async (tx) => {
        const before = await findSetting(tx, key)
        if (before === undefined) return refused('unknown')
        const isNewValue = change.value !== undefined && change.value !== shownSetting(before).value
        const merged = { ...merge(before, change), key }
        const after = isNewValue ? seal(merged) : { ...merged, value: before.value }
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

/** The owner of a secret setting's value. */
export function settingOwner(key: string): string {
  return `setting/${key}`
}

function sealSetting(setting: SettingRow, secrets: SecretBox): SettingRow {
  const { key, value } = setting
  if (!isSecretName(key) || value === '') return setting
  return { ...setting, value: secrets.seal(value, settingOwner(key)) }
}

/** The setting as it may be shown: a secret value is masked. An edit that sends the mask back keeps the value. */
export function shownSetting(setting: SettingRow): SettingRow {
  const isShown = !isSecretName(setting.key) || setting.value === ''
  return isShown ? setting : { ...setting, value: MASKED }
}

function findSetting(db: AdminDb, key: string): Promise<SettingRow | undefined> {
  return db.selectFrom('settings').selectAll().where('key', '=', key).executeTakeFirst()
}

function auditChange(key: string, before: SettingRow | null, after: SettingRow | null): AuditChange {
  return { entity: 'setting', target: key, before, after }
}

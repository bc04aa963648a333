import { checkSetting, isSystemSetting, SYSTEM_SETTINGS, type SystemSettingKey } from '@binnacle/contract'
import type { Result } from '@binnacle/engine'
import { sql } from 'kysely'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import { isSecretName } from '#storage/audit/mask.ts'
import { MASKED } from '#storage/audit/mask-statement.ts'
import { type SecretBox, settingOwner } from '#storage/secret-box.ts'
import type { AdminDb, AdminTransaction, SettingRow, SettingVersionRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

/** The values of secret settings, such as smtp_password, are sealed. */
export interface SettingsStore {
  /** In insertion order. */
  list(): Promise<SettingRow[]>
  find(key: string): Promise<SettingRow | undefined>
  add(audit: AuditContext, setting: SettingRow): Promise<Result<SettingRow, 'exists'>>
  update(audit: AuditContext, key: string, change: SettingRowChange): Promise<Result<SettingRow, 'unknown'>>
  remove(audit: AuditContext, key: string): Promise<Result<SettingRow, 'unknown'>>
  /** What the server acts on now, secrets in clear; at hand without a query, because requests need it. */
  effectiveValue(key: SystemSettingKey): string
  /** Sets system settings in one transaction; refused as 'unchanged' if all of them have these values already. */
  save(audit: AuditContext, update: SettingsUpdate): Promise<Result<number, 'unchanged' | 'version-conflict'>>
  /** The number of the latest version; 1 before the first change. */
  version(): Promise<number>
  /** Newest first. Values of secrets are sealed. */
  versions(limit: number): Promise<SettingsVersion[]>
  /** Sets every system setting to what it was in a version. */
  revert(audit: AuditContext, version: number): Promise<Result<number, 'unknown' | 'unchanged'>>
}

export type SettingRowChange = Change<Omit<SettingRow, 'key'>>

export interface SettingsUpdate {
  values: ReadonlyMap<SystemSettingKey, string>
  /** Refused as 'version-conflict' unless this is the latest version. */
  expectedVersion?: number | undefined
}

export interface SettingsVersion extends Pick<SettingVersionRow, 'version' | 'at' | 'actor'> {
  changes: Pick<SettingVersionRow, 'key' | 'before' | 'after'>[]
}

interface SettingsOptions {
  db: AdminDb
  audited: Audited
  secrets: SecretBox
  now: () => Date
}

export async function openSettingsStore(options: SettingsOptions): Promise<SettingsStore> {
  const { db, secrets } = options
  const seal = (setting: SettingRow) => sealSetting(setting, secrets)
  let cachedValues: ReadonlyMap<SystemSettingKey, string> = new Map()
  let lastRead = 0

  /** A slower read of an earlier state never replaces a later one. */
  async function readEffective(): Promise<void> {
    lastRead += 1
    const read = lastRead
    const rows = await listSettings(db)
    if (read === lastRead) cachedValues = effectiveValues(rows, secrets)
  }

  /** Changes take effect before they are answered. */
  const auditedWithReload: Audited = async (audit, work) => {
    const outcome = await options.audited(audit, work)
    if (outcome.ok) await readEffective()
    return outcome
  }

  async function addVersion(tx: AdminTransaction, { actor }: AuditContext, changes: readonly RowChange[]) {
    const version = (await latestVersion(tx)) + 1
    const at = options.now().toISOString()
    const rows = changes
      .filter(({ key, before, after }) => isSystemSetting(key) && before !== after)
      .map((change) => ({ version, at, actor, ...change }))
    if (rows.length > 0) await tx.insertInto('setting_versions').values(rows).execute()
    return version
  }

  /** Writes the rows that differ. Their values are sealed. */
  async function write(tx: AdminTransaction, audit: AuditContext, rows: readonly SettingRow[]) {
    const changes: RowChange[] = []
    const records: AuditChange[] = []
    for (const row of rows) {
      const { key, value } = row
      const before = await findSetting(tx, key)
      if (plainValue(before ?? defaultRow(key), secrets) === plainValue(row, secrets)) continue
      const after = before === undefined ? row : { ...before, value }
      if (before === undefined) await tx.insertInto('settings').values(after).execute()
      else await tx.updateTable('settings').set({ value }).where('key', '=', key).execute()
      changes.push({ key, before: storedValue(key, before), after: value })
      records.push(auditChange(key, before ?? null, after))
    }
    const [first, ...others] = records
    if (first === undefined) return refused('unchanged')
    return done(await addVersion(tx, audit, changes), first, ...others)
  }

  await readEffective()
  return {
    list: () => listSettings(db),
    find: (key) => findSetting(db, key),
    add: (audit, setting) =>
      auditedWithReload(audit, async (tx) => {
        const { key } = setting
        if (await findSetting(tx, key)) return refused('exists')
        const after = seal(setting)
        await tx.insertInto('settings').values(after).execute()
        await addVersion(tx, audit, [{ key, before: storedValue(key, undefined), after: after.value }])
        return done(setting, auditChange(key, null, setting))
      }),
    update: (audit, key, change) =>
      auditedWithReload(audit, async (tx) => {
        const before = await findSetting(tx, key)
        if (before === undefined) return refused('unknown')
        const isNewValue = change.value !== undefined && change.value !== maskSetting(before).value
        const merged = { ...merge(before, change), key }
        const after = isNewValue ? seal(merged) : { ...merged, value: before.value }
        await tx.updateTable('settings').set(after).where('key', '=', key).execute()
        await addVersion(tx, audit, [{ key, before: before.value, after: after.value }])
        return done(after, auditChange(key, before, after))
      }),
    remove: (audit, key) =>
      auditedWithReload(audit, async (tx) => {
        const before = await findSetting(tx, key)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('settings').where('key', '=', key).execute()
        await addVersion(tx, audit, [{ key, before: before.value, after: storedValue(key, undefined) }])
        return done(before, auditChange(key, before, null))
      }),
    effectiveValue: (key) => cachedValues.get(key) ?? SYSTEM_SETTINGS[key].default,
    save: (audit, { values, expectedVersion }) =>
      auditedWithReload(audit, async (tx) => {
        const isLatest = expectedVersion === undefined || expectedVersion === (await latestVersion(tx))
        if (!isLatest) return refused('version-conflict')
        const rows = [...values].map(([key, value]) => seal({ ...defaultRow(key), value }))
        return write(tx, audit, rows)
      }),
    version: () => latestVersion(db),
    versions: (limit) => listVersions(db, limit),
    revert: (audit, version) =>
      auditedWithReload(audit, async (tx) => {
        if (version < FIRST_VERSION || version > (await latestVersion(tx))) return refused('unknown')
        const later = await tx
          .selectFrom('setting_versions')
          .select(['key', 'before'])
          .where('version', '>', version)
          .orderBy('version', 'desc')
          .execute()
        // The oldest change after the version comes last and decides.
        const values = new Map(later.map(({ key, before }) => [key, before]))
        return write(
          tx,
          audit,
          [...values].map(([key, value]) => ({ ...defaultRow(key), value })),
        )
      }),
  }
}

/** The setting as it may be shown: a secret value is masked. An edit that sends the mask back keeps the value. */
export function maskSetting<Setting extends Pick<SettingRow, 'key' | 'value'>>(setting: Setting): Setting {
  const isShown = !isSecretName(setting.key) || setting.value === ''
  return isShown ? setting : { ...setting, value: MASKED }
}

type RowChange = Pick<SettingVersionRow, 'key' | 'before' | 'after'>

function sealSetting(setting: SettingRow, secrets: SecretBox): SettingRow {
  const { key, value } = setting
  if (!isSecretName(key) || value === '') return setting
  return { ...setting, value: secrets.seal(value, settingOwner(key)) }
}

/** A secret that cannot be opened, because its key file is gone, counts as not set. */
function plainValue({ key, value }: SettingRow, secrets: SecretBox): string {
  return isSecretName(key) && value !== '' ? (secrets.open(value, settingOwner(key)) ?? '') : value
}

/** A value that an earlier version accepted and this one refuses has no effect. */
function effectiveValues(rows: readonly SettingRow[], secrets: SecretBox): Map<SystemSettingKey, string> {
  const values = new Map<SystemSettingKey, string>()
  for (const row of rows) {
    if (!isSystemSetting(row.key)) continue
    const value = plainValue(row, secrets)
    if (checkSetting(row.key, value) === undefined) values.set(row.key, value)
  }
  return values
}

function defaultRow(key: string): SettingRow {
  if (!isSystemSetting(key)) return { key, value: '', description: '', category: 'general' }
  const { default: value, description, section } = SYSTEM_SETTINGS[key]
  return { key, value, description, category: section }
}

/** A system setting that is not stored has its default. */
function storedValue(key: string, row: SettingRow | undefined): string {
  return (row ?? defaultRow(key)).value
}

function listSettings(db: AdminDb): Promise<SettingRow[]> {
  return db.selectFrom('settings').selectAll().orderBy(sql`rowid`).execute()
}

function findSetting(db: AdminDb, key: string): Promise<SettingRow | undefined> {
  return db.selectFrom('settings').selectAll().where('key', '=', key).executeTakeFirst()
}

/** The settings before the first change. */
const FIRST_VERSION = 1

async function latestVersion(db: AdminDb): Promise<number> {
  const newest = db.selectFrom('setting_versions').select('version').orderBy('version', 'desc').limit(1)
  return (await newest.executeTakeFirst())?.version ?? FIRST_VERSION
}

async function listVersions(db: AdminDb, limit: number): Promise<SettingsVersion[]> {
  const rows = await db
    .selectFrom('setting_versions')
    .selectAll()
    .where('version', '>', (await latestVersion(db)) - limit)
    .orderBy('version', 'desc')
    .orderBy('key')
    .execute()
  const versions: SettingsVersion[] = []
  for (const { version, at, actor, ...change } of rows) {
    const last = versions.at(-1)
    if (last?.version === version) last.changes.push(change)
    else versions.push({ version, at, actor, changes: [change] })
  }
  return versions
}

function auditChange(key: string, before: SettingRow | null, after: SettingRow | null): AuditChange {
  return { entity: 'setting', target: key, before, after }
}

import type { Result } from '@binnacle/engine'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import { maskAddress } from '#storage/audit/mask.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import type { AdminDb, ApiConfigRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

export interface ApiConfigsStore {
  list(): Promise<ApiConfigRow[]>
  add(audit: AuditContext, config: Omit<ApiConfigRow, 'id'>): Promise<Result<ApiConfigRow, 'name-taken'>>
  update(
    audit: AuditContext,
    id: number,
    change: ApiConfigChange,
  ): Promise<Result<ApiConfigRow, 'unknown' | 'name-taken'>>
  remove(audit: AuditContext, id: number): Promise<Result<ApiConfigRow, 'unknown'>>
}

export type ApiConfigChange = Change<Omit<ApiConfigRow, 'id'>>

export function createApiConfigsStore(db: AdminDb, audited: Audited, secrets: SecretBox): ApiConfigsStore {
  const open = (row: ApiConfigRow) => ({
    ...row,
    endpoint: secrets.open(row.endpoint, configOwner(row.name)) ?? row.endpoint,
  })
  const seal = <Row extends Omit<ApiConfigRow, 'id'>>(row: Row): Row => ({
    ...row,
    endpoint: sealEndpoint(row, secrets),
  })
  return {
    list: async () =>
      (await db.selectFrom('api_configs').selectAll().orderBy('id').execute()).map(open).map(maskConfig),
    add: (audit, config) =>
      audited(audit, async (tx) => {
        if (await isNameTaken(tx, config.name)) return refused('name-taken')
        const added = await tx
          .insertInto('api_configs')
          .values(seal(config))
          .returning('id')
          .executeTakeFirstOrThrow()
        const row = maskConfig({ ...config, ...added })
        return done(row, auditChange(row.id, null, row))
      }),
    update: (audit, id, change) =>
      audited(audit, async (tx) => {
        const stored = await findConfig(tx, id)
        if (stored === undefined) return refused('unknown')
        const before = open(stored)
        const merged = { ...merge(before, change), id }
        // An edit that sends the masked address back keeps the stored one.
        const isKept = merged.endpoint === maskConfig(before).endpoint
        const after = isKept ? { ...merged, endpoint: before.endpoint } : merged
        if (await isNameTaken(tx, after.name, id)) return refused('name-taken')
        await tx.updateTable('api_configs').set(seal(after)).where('id', '=', id).execute()
        return done(maskConfig(after), auditChange(id, before, after))
      }),
    remove: (audit, id) =>
      audited(audit, async (tx) => {
        const stored = await findConfig(tx, id)
        if (stored === undefined) return refused('unknown')
        const before = maskConfig(open(stored))
        await tx.deleteFrom('api_configs').where('id', '=', id).execute()
        return done(before, auditChange(id, before, null))
      }),
  }
}

/** The owner of an address with a key in it. */
function configOwner(name: string): string {
  return `api-config/${name}`
}

/** An address with a password or a key is stored sealed. */
export function sealEndpoint(
  { name, endpoint }: Pick<ApiConfigRow, 'name' | 'endpoint'>,
  secrets: SecretBox,
): string {
  return maskAddress(endpoint) === endpoint ? endpoint : secrets.seal(endpoint, configOwner(name))
}

/** Passwords and keys in the address are masked. */
function maskConfig(config: ApiConfigRow): ApiConfigRow {
  return { ...config, endpoint: maskAddress(config.endpoint) }
}

function findConfig(db: AdminDb, id: number): Promise<ApiConfigRow | undefined> {
  return db.selectFrom('api_configs').selectAll().where('id', '=', id).executeTakeFirst()
}

async function isNameTaken(db: AdminDb, name: string, exceptId = 0): Promise<boolean> {
  const named = db.selectFrom('api_configs').select('id').where('name', '=', name)
  return (await named.where('id', '<>', exceptId).executeTakeFirst()) !== undefined
}

function auditChange(id: number, before: ApiConfigRow | null, after: ApiConfigRow | null): AuditChange {
  return { entity: 'api-config', target: String(id), before, after }
}

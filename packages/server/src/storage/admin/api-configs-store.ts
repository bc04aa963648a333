import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, ApiConfigRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

export interface ApiConfigsStore {
  list(): Promise<ApiConfigRow[]>
  add(audit: AuditContext, config: Omit<ApiConfigRow, 'id'>): Promise<Outcome<ApiConfigRow, 'name-taken'>>
  update(
    audit: AuditContext,
    id: number,
    change: ApiConfigChange,
  ): Promise<Outcome<ApiConfigRow, 'unknown' | 'name-taken'>>
  remove(audit: AuditContext, id: number): Promise<Outcome<ApiConfigRow, 'unknown'>>
}

export type ApiConfigChange = Change<Omit<ApiConfigRow, 'id'>>

export function createApiConfigsStore(db: AdminDb, audited: Audited): ApiConfigsStore {
  return {
    list: () => db.selectFrom('api_configs').selectAll().orderBy('id').execute(),
    add: (audit, config) =>
      audited(audit, async (tx) => {
        if (await isNameTaken(tx, config.name)) return refused('name-taken')
        const added = await tx
          .insertInto('api_configs')
          .values(config)
          .returningAll()
          .executeTakeFirstOrThrow()
        return done(added, auditChange(added.id, null, added))
      }),
    update: (audit, id, change) =>
      audited(audit, async (tx) => {
        const before = await findConfig(tx, id)
        if (before === undefined) return refused('unknown')
        const after = { ...merge(before, change), id }
        if (await isNameTaken(tx, after.name, id)) return refused('name-taken')
        await tx.updateTable('api_configs').set(after).where('id', '=', id).execute()
        return done(after, auditChange(id, before, after))
      }),
    remove: (audit, id) =>
      audited(audit, async (tx) => {
        const before = await findConfig(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('api_configs').where('id', '=', id).execute()
        return done(before, auditChange(id, before, null))
      }),
  }
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

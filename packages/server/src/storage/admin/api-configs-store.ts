import type { Act, Deed } from '#audit/act.ts'
import type { AdminDb, ApiConfigRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

export interface ApiConfigsStore {
  list(): Promise<ApiConfigRow[]>
  add(act: Act, config: Omit<ApiConfigRow, 'id'>): Promise<Outcome<ApiConfigRow, 'name-taken'>>
  update(
    act: Act,
    id: number,
    change: ApiConfigChange,
  ): Promise<Outcome<ApiConfigRow, 'unknown' | 'name-taken'>>
  remove(act: Act, id: number): Promise<Outcome<ApiConfigRow, 'unknown'>>
}

export type ApiConfigChange = Change<Omit<ApiConfigRow, 'id'>>

export function createApiConfigsStore(db: AdminDb, audited: Audited): ApiConfigsStore {
  return {
    list: () => db.selectFrom('api_configs').selectAll().orderBy('id').execute(),
    add: (act, config) =>
      audited(act, async (tx) => {
        if (await isNameTaken(tx, config.name)) return refused('name-taken')
        const added = await tx
          .insertInto('api_configs')
          .values(config)
          .returningAll()
          .executeTakeFirstOrThrow()
        return done(added, deed(added.id, null, added))
      }),
    update: (act, id, change) =>
      audited(act, async (tx) => {
        const before = await findConfig(tx, id)
        if (before === undefined) return refused('unknown')
        const after = { ...merge(before, change), id }
        if (await isNameTaken(tx, after.name, id)) return refused('name-taken')
        await tx.updateTable('api_configs').set(after).where('id', '=', id).execute()
        return done(after, deed(id, before, after))
      }),
    remove: (act, id) =>
      audited(act, async (tx) => {
        const before = await findConfig(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('api_configs').where('id', '=', id).execute()
        return done(before, deed(id, before, null))
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

function deed(id: number, before: ApiConfigRow | null, after: ApiConfigRow | null): Deed {
  return { entity: 'api-config', target: String(id), before, after }
}

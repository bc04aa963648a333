import type { Act, Deed } from '#audit/act.ts'
import type { AdminDb, ServiceRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'
import { describeRoute } from './routes-store.ts'

export interface ServicesStore {
  /** Our own three first. */
  list(): Promise<ServiceRow[]>
  find(id: number): Promise<ServiceRow | undefined>
  add(act: Act, service: NewService): Promise<Outcome<ServiceRow, 'name-taken'>>
  update(act: Act, id: number, change: Change<NewService>): Promise<Outcome<ServiceRow, ServiceRefusal>>
  /** Takes the service's routes with it. */
  remove(act: Act, id: number): Promise<Outcome<ServiceRow, Exclude<ServiceRefusal, 'name-taken'>>>
}

export interface NewService {
  name: string
  description: string
  url: string
}

export type ServiceRefusal = 'unknown' | 'built-in' | 'name-taken'

export function createServicesStore(db: AdminDb, audited: Audited): ServicesStore {
  return {
    list: () => db.selectFrom('services').selectAll().orderBy('id').execute(),
    find: (id) => findService(db, id),
    add: (act, service) =>
      audited(act, async (tx) => {
        if (await isNameTaken(tx, service.name)) return refused('name-taken')
        const added = await tx.insertInto('services').values(service).returningAll().executeTakeFirstOrThrow()
        return done(added, deed(added.id, null, added))
      }),
    update: (act, id, change) =>
      audited(act, async (tx) => {
        const before = await findService(tx, id)
        if (before === undefined) return refused('unknown')
        if (before.app !== null) return refused('built-in')
        const after = { ...merge<ServiceRow>(before, change), id }
        if (await isNameTaken(tx, after.name, id)) return refused('name-taken')
        await tx.updateTable('services').set(after).where('id', '=', id).execute()
        return done(after, deed(id, before, after))
      }),
    remove: (act, id) =>
      audited(act, async (tx) => {
        const before = await findService(tx, id)
        if (before === undefined) return refused('unknown')
        if (before.app !== null) return refused('built-in')
        const routes = await tx.deleteFrom('routes').where('service_id', '=', id).returningAll().execute()
        await tx.deleteFrom('services').where('id', '=', id).execute()
        return done(before, deed(id, { ...before, routes: routes.map(describeRoute) }, null))
      }),
  }
}

function findService(db: AdminDb, id: number): Promise<ServiceRow | undefined> {
  return db.selectFrom('services').selectAll().where('id', '=', id).executeTakeFirst()
}

async function isNameTaken(db: AdminDb, name: string, exceptId = 0): Promise<boolean> {
  const named = db.selectFrom('services').select('id').where('name', '=', name)
  return (await named.where('id', '<>', exceptId).executeTakeFirst()) !== undefined
}

function deed(id: number, before: unknown, after: unknown): Deed {
  return { entity: 'service', target: String(id), before, after }
}

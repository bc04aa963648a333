import type { Act, Deed } from '#audit/act.ts'
import type { AdminDb, Flag, RouteRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

/** Routes that a person added to a service. */
export interface RoutesStore {
  ofService(serviceId: number): Promise<RouteRow[]>
  find(id: number): Promise<RouteRow | undefined>
  add(act: Act, route: NewRoute): Promise<Outcome<RouteRow, 'no-service' | 'exists'>>
  update(act: Act, id: number, change: RouteChange): Promise<Outcome<RouteRow, 'unknown' | 'exists'>>
  remove(act: Act, id: number): Promise<Outcome<RouteRow, 'unknown'>>
}

export type NewRoute = Omit<RouteRow, 'id' | 'is_active'>
export type RouteChange = Change<Omit<NewRoute, 'service_id'> & { is_active: Flag }>

export function createRoutesStore(db: AdminDb, audited: Audited): RoutesStore {
  return {
    ofService: (serviceId) =>
      db.selectFrom('routes').selectAll().where('service_id', '=', serviceId).orderBy('id').execute(),
    find: (id) => findRoute(db, id),
    add: (act, route) =>
      audited(act, async (tx) => {
        if (!(await hasService(tx, route.service_id))) return refused('no-service')
        if (await isThere(tx, route)) return refused('exists')
        const row = { ...route, is_active: 1 } as const
        const added = await tx.insertInto('routes').values(row).returningAll().executeTakeFirstOrThrow()
        return done(added, deed(added.id, null, added))
      }),
    update: (act, id, change) =>
      audited(act, async (tx) => {
        const before = await findRoute(tx, id)
        if (before === undefined) return refused('unknown')
        const after = merge<RouteRow>(before, change)
        if (await isThere(tx, after, id)) return refused('exists')
        await tx.updateTable('routes').set(after).where('id', '=', id).execute()
        return done(after, deed(id, before, after))
      }),
    remove: (act, id) =>
      audited(act, async (tx) => {
        const before = await findRoute(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('routes').where('id', '=', id).execute()
        return done(before, deed(id, before, null))
      }),
  }
}

function findRoute(db: AdminDb, id: number): Promise<RouteRow | undefined> {
  return db.selectFrom('routes').selectAll().where('id', '=', id).executeTakeFirst()
}

async function hasService(db: AdminDb, id: number): Promise<boolean> {
  return (await db.selectFrom('services').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

async function isThere(
  db: AdminDb,
  route: Pick<RouteRow, 'service_id' | 'method' | 'path'>,
  exceptId = 0,
): Promise<boolean> {
  const same = db
    .selectFrom('routes')
    .select('id')
    .where('service_id', '=', route.service_id)
    .where('method', '=', route.method)
    .where('path', '=', route.path)
  return (await same.where('id', '<>', exceptId).executeTakeFirst()) !== undefined
}

function deed(id: number, before: RouteRow | null, after: RouteRow | null): Deed {
  return {
    entity: 'route',
    target: String(id),
    before: before && describeRoute(before),
    after: after && describeRoute(after),
  }
}

/** With its parameters as the object they are, so that secrets among them are found and masked. */
export function describeRoute(route: RouteRow) {
  const parameters: unknown = JSON.parse(route.parameters)
  return { ...route, parameters }
}

import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, Flag, RouteRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

/** Routes added by users. */
export interface RoutesStore {
  ofService(serviceId: number): Promise<RouteRow[]>
  find(id: number): Promise<RouteRow | undefined>
  add(audit: AuditContext, route: NewRoute): Promise<Outcome<RouteRow, 'no-service' | 'exists'>>
  update(
    audit: AuditContext,
    id: number,
    change: RouteChange,
  ): Promise<Outcome<RouteRow, 'unknown' | 'exists'>>
  remove(audit: AuditContext, id: number): Promise<Outcome<RouteRow, 'unknown'>>
}

export type NewRoute = Omit<RouteRow, 'id' | 'is_active'>
export type RouteChange = Change<Omit<NewRoute, 'service_id'> & { is_active: Flag }>

export function createRoutesStore(db: AdminDb, audited: Audited): RoutesStore {
  return {
    ofService: (serviceId) =>
      db.selectFrom('routes').selectAll().where('service_id', '=', serviceId).orderBy('id').execute(),
    find: (id) => findRoute(db, id),
    add: (audit, route) =>
      audited(audit, async (tx) => {
        if (!(await hasService(tx, route.service_id))) return refused('no-service')
        if (await isExisting(tx, route)) return refused('exists')
        const row = { ...route, is_active: 1 } as const
        const added = await tx.insertInto('routes').values(row).returningAll().executeTakeFirstOrThrow()
        return done(added, auditChange(added.id, null, added))
      }),
    update: (audit, id, change) =>
      audited(audit, async (tx) => {
        const before = await findRoute(tx, id)
        if (before === undefined) return refused('unknown')
        const after = merge<RouteRow>(before, change)
        if (await isExisting(tx, after, id)) return refused('exists')
        await tx.updateTable('routes').set(after).where('id', '=', id).execute()
        return done(after, auditChange(id, before, after))
      }),
    remove: (audit, id) =>
      audited(audit, async (tx) => {
        const before = await findRoute(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('routes').where('id', '=', id).execute()
        return done(before, auditChange(id, before, null))
      }),
  }
}

function findRoute(db: AdminDb, id: number): Promise<RouteRow | undefined> {
  return db.selectFrom('routes').selectAll().where('id', '=', id).executeTakeFirst()
}

async function hasService(db: AdminDb, id: number): Promise<boolean> {
  return (await db.selectFrom('services').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

async function isExisting(
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

function auditChange(id: number, before: RouteRow | null, after: RouteRow | null): AuditChange {
  return {
    entity: 'route',
    target: String(id),
    before: before && describeRoute(before),
    after: after && describeRoute(after),
  }
}

/** Parses the parameters, so that secrets in them are masked by name. */
export function describeRoute(route: RouteRow) {
  const parameters: unknown = JSON.parse(route.parameters)
  return { ...route, parameters }
}

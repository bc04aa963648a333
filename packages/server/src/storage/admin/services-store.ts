import type { Result } from '@binnacle/engine'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import type { AdminDb, ServiceRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'
import { describeRoute, openRoute } from './routes-store.ts'

export interface ServicesStore {
  /** Built-in services first. */
  list(): Promise<ServiceRow[]>
  find(id: number): Promise<ServiceRow | undefined>
  add(audit: AuditContext, service: NewService): Promise<Result<ServiceRow, 'name-taken'>>
  update(
    audit: AuditContext,
    id: number,
    change: Change<NewService>,
  ): Promise<Result<ServiceRow, ServiceRefusal>>
  /** Also deletes the service's routes. */
  remove(audit: AuditContext, id: number): Promise<Result<ServiceRow, Exclude<ServiceRefusal, 'name-taken'>>>
}

export interface NewService {
  name: string
  description: string
  url: string
}

export type ServiceRefusal = 'unknown' | 'built-in' | 'name-taken'

export function createServicesStore(db: AdminDb, audited: Audited, secrets: SecretBox): ServicesStore {
  return {
    list: () => db.selectFrom('services').selectAll().orderBy('id').execute(),
    find: (id) => findService(db, id),
    add: (audit, service) =>
      audited(audit, async (tx) => {
        if (await isNameTaken(tx, service.name)) return refused('name-taken')
        const added = await tx.insertInto('services').values(service).returningAll().executeTakeFirstOrThrow()
        return done(added, auditChange(added.id, null, added))
      }),
    update: (audit, id, change) =>
      audited(audit, async (tx) => {
        const before = await findService(tx, id)
        if (before === undefined) return refused('unknown')
        if (before.app !== null) return refused('built-in')
        const after = { ...merge<ServiceRow>(before, change), id }
        if (await isNameTaken(tx, after.name, id)) return refused('name-taken')
        await tx.updateTable('services').set(after).where('id', '=', id).execute()
        return done(after, auditChange(id, before, after))
      }),
    remove: (audit, id) =>
      audited(audit, async (tx) => {
        const before = await findService(tx, id)
        if (before === undefined) return refused('unknown')
        if (before.app !== null) return refused('built-in')
        const routes = await tx.deleteFrom('routes').where('service_id', '=', id).returningAll().execute()
        await tx.deleteFrom('services').where('id', '=', id).execute()
        const described = routes.map((row) => describeRoute(openRoute(row, secrets)))
        return done(before, auditChange(id, { ...before, routes: described }, null))
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

function auditChange(id: number, before: unknown, after: unknown): AuditChange {
  return { entity: 'service', target: String(id), before, after }
}

import { isDeepStrictEqual } from 'node:util'
import type { Result } from '@binnacle/engine'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import { maskSecrets } from '#storage/audit/mask.ts'
import { MASKED } from '#storage/audit/mask-statement.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import type { AdminDb, Flag, RouteRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

/** Routes added by users. Parameters with secrets, such as an Authorization header, are stored sealed. */
export interface RoutesStore {
  ofService(serviceId: number): Promise<RouteRow[]>
  find(id: number): Promise<RouteRow | undefined>
  add(audit: AuditContext, route: NewRoute): Promise<Result<RouteRow, 'no-service' | 'exists'>>
  update(
    audit: AuditContext,
    id: number,
    change: RouteChange,
  ): Promise<Result<RouteRow, 'unknown' | 'exists'>>
  remove(audit: AuditContext, id: number): Promise<Result<RouteRow, 'unknown'>>
}

export type NewRoute = Omit<RouteRow, 'id' | 'is_active'>
export type RouteChange = Change<Omit<NewRoute, 'service_id'> & { is_active: Flag }>

export function createRoutesStore(db: AdminDb, audited: Audited, secrets: SecretBox): RoutesStore {
  const open = (row: RouteRow) => openRoute(row, secrets)
  async function findRoute(from: AdminDb, id: number): Promise<RouteRow | undefined> {
    const row = await from.selectFrom('routes').selectAll().where('id', '=', id).executeTakeFirst()
    return row && open(row)
  }
  return {
    async ofService(serviceId) {
      const rows = db.selectFrom('routes').selectAll().where('service_id', '=', serviceId).orderBy('id')
      return (await rows.execute()).map(open)
    },
    find: (id) => findRoute(db, id),
    add: (audit, route) =>
      audited(audit, async (tx) => {
        if (!(await hasService(tx, route.service_id))) return refused('no-service')
        if (await isExisting(tx, route)) return refused('exists')
        const row = { ...route, is_active: 1 } as const
        const values = { ...row, parameters: sealParameters(row, secrets) }
        const { id } = await tx.insertInto('routes').values(values).returning('id').executeTakeFirstOrThrow()
        const added = { ...row, id }
        return done(added, auditChange(id, null, added))
      }),
    update: (audit, id, change) =>
      audited(audit, async (tx) => {
        const before = await findRoute(tx, id)
        if (before === undefined) return refused('unknown')
        const merged = merge<RouteRow>(before, change)
        const after = { ...merged, parameters: unmaskParameters(merged.parameters, before.parameters) }
        if (await isExisting(tx, after, id)) return refused('exists')
        await tx
          .updateTable('routes')
          .set({ ...after, parameters: sealParameters(after, secrets) })
          .where('id', '=', id)
          .execute()
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

/** The owner of sealed parameters. */
type RouteKey = Pick<RouteRow, 'service_id' | 'method' | 'path'>

function routeOwner({ service_id, method, path }: RouteKey): string {
  return `route/${service_id} ${method} ${path}`
}

export function sealParameters(route: RouteKey & { parameters: string }, secrets: SecretBox): string {
  const { parameters } = route
  return maskParameters(parameters) === parameters ? parameters : secrets.seal(parameters, routeOwner(route))
}

/** The stored row with its parameters in clear; those that can no longer be opened are empty. */
export function openRoute(route: RouteRow, secrets: SecretBox): RouteRow {
  if (route.parameters.startsWith('{')) return route
  return { ...route, parameters: secrets.open(route.parameters, routeOwner(route)) ?? '{}' }
}

/** The parameters as they may be shown, with secrets masked; unchanged without one. */
export function maskParameters(parameters: string): string {
  const values: unknown = JSON.parse(parameters)
  const masked = maskSecrets(values)
  return isDeepStrictEqual(values, masked) ? parameters : JSON.stringify(masked)
}

/** An edit that sends masked values back keeps the stored ones. */
function unmaskParameters(edited: string, stored: string): string {
  if (!edited.includes(MASKED)) return edited
  return JSON.stringify(unmask(JSON.parse(edited), JSON.parse(maskParameters(stored)), JSON.parse(stored)))
}

function unmask(edited: unknown, shown: unknown, stored: unknown): unknown {
  if (isDeepStrictEqual(edited, shown)) return stored
  if (typeof edited !== 'object' || edited === null || Array.isArray(edited)) return edited
  return Object.fromEntries(
    Object.entries(edited).map(([name, value]) => [
      name,
      unmask(value, Object(shown)[name], Object(stored)[name]),
    ]),
  )
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

import { bracedPath, type Call, type RouteChange, type RouteEdit, routes } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import { invalidFields } from '#http/validation.ts'
import { conditionalChangeOf, Versioned } from '#http/versions.ts'
import type { RouteRow } from '#storage/admin/admin-tables.ts'
import { maskParameters } from '#storage/admin/routes-store.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { builtinId, builtinRoutes, findBuiltinCall, isBuiltinRoute } from './builtin-routes.ts'
import { replyWith } from './replies.ts'
import { unknownService } from './services.routes.ts'

type Stores = Pick<AdminStore, 'services' | 'routes' | 'switches'>

export function addRoutesRoutes(app: FastifyInstance, stores: Stores): void {
  mount(app, routes.list, async ({ params }) => {
    const service = await stores.services.find(parseRowId(params.id))
    if (service === undefined) return unknownService(params.id)
    const builtIn = service.app === null ? [] : builtinRoutes(service.app, service.id, stores.switches)
    const added = await stores.routes.ofService(service.id)
    return { routes: [...builtIn, ...added.map(routeToWire)] }
  })

  mount(app, routes.add, async ({ body: { api_endpoint_id, requires_auth = 0, ...route } }, { audit }) => {
    const row = { ...route, requires_auth, service_id: parseRowId(api_endpoint_id) }
    if (await isBuiltinPath(stores, row.service_id, row)) return EXISTS
    const outcome = await stores.routes.add(audit, row)
    return replyWith(outcome, succeeded('added'), { exists: EXISTS, 'no-service': NO_SERVICE })
  })

  mount(app, routes.get, async ({ params }) => {
    const route = await findRoute(stores, params.id)
    return route === undefined ? unknownRoute(params.id) : new Versioned(routeReply(route), route)
  })

  const change = conditionalChangeOf(stores.routes)

  mount(app, routes.update, ({ params, body }, { audit, ifMatch }) =>
    change(
      ifMatch,
      () => findRoute(stores, params.id),
      () => {
        const call = findBuiltinCall(params.id)
        if (call === undefined) return changeRoute(stores, audit, params.id, body)
        return 'is_active' in body ? switchCall(stores, audit, call, body.is_active) : BUILT_IN
      },
    ),
  )

  mount(app, routes.remove, ({ params }, { audit, ifMatch }) =>
    change(
      ifMatch,
      () => findRoute(stores, params.id),
      async () => {
        if (findBuiltinCall(params.id) !== undefined) return BUILT_IN
        const outcome = await stores.routes.remove(audit, parseRowId(params.id))
        return replyWith(outcome, succeeded('deleted'), { unknown: unknownRoute(params.id) })
      },
    ),
  )
}

type BuiltinRoute = ReturnType<typeof builtinRoutes>[number]

/** As stored, for the version of the reply: a change of a masked secret is a change. */
async function findRoute(stores: Stores, id: string): Promise<RouteRow | BuiltinRoute | undefined> {
  const call = findBuiltinCall(id)
  if (call === undefined) {
    return stores.routes.find(parseRowId(id))
  }
  const service = (await stores.services.list()).find(({ app }) => app === call.app)
  return builtinRoutes(call.app, service?.id ?? 0, stores.switches).find((route) => route.id === id)
}

/** API-24, API-25: switches a built-in call, effective from the next request. */
async function switchCall({ switches }: Stores, audit: AuditContext, call: Call, isActive: 0 | 1) {
  const { method, summary, alwaysOn } = call.endpoint
  const path = bracedPath(call.endpoint.path)
  if (alwaysOn && isActive === 0) {
    return new Refused(
      'route.always-on',
      `${method} ${path} (${summary}) cannot be switched off: calls that stop trading, report health or change switches must always work.`,
    )
  }
  await switches.set(audit, { id: call.id, routeId: builtinId(call), method, path }, isActive)
  return succeeded(isActive === 1 ? 'enabled' : 'disabled')()
}

async function changeRoute(stores: Stores, audit: AuditContext, id: string, change: RouteChange) {
  const route = await stores.routes.find(parseRowId(id))
  if (route === undefined) return unknownRoute(id)
  if ('method' in change && (await isBuiltinPath(stores, route.service_id, change))) return EXISTS
  const outcome = await stores.routes.update(audit, route.id, change)
  return replyWith(outcome, succeeded('updated'), { exists: EXISTS, unknown: unknownRoute(id) })
}

async function isBuiltinPath(
  { services }: Stores,
  serviceId: number,
  route: Pick<RouteEdit, 'method' | 'path'>,
) {
  const app = (await services.find(serviceId))?.app ?? null
  return app !== null && isBuiltinRoute(app, route.method, route.path)
}

function routeReply(route: RouteRow | BuiltinRoute) {
  return 'service_id' in route ? routeToWire(route) : route
}

function routeToWire({ service_id, ...route }: RouteRow) {
  return {
    ...route,
    parameters: maskParameters(route.parameters),
    api_endpoint_id: service_id,
    is_builtin: 0 as const,
  }
}

function succeeded(what: string) {
  return () => ({ success: true as const, message: `Route ${what}` })
}

export function unknownRoute(id: string): Refused {
  return notFound('route', id, { list: 'GET /api/admin/routes/by-endpoint/{id}' })
}

const BUILT_IN = new Refused('route.built-in', 'Built-in routes can only be switched on or off and tested.')

const EXISTS = new Refused(
  'thing.exists',
  'The service already has a route with this method and path. Choose another path, or edit that route.',
  [{ field: 'body.path', message: 'is taken by another route of the service, with the same method' }],
)

const NO_SERVICE = invalidFields([{ field: 'body.api_endpoint_id', message: 'is not a known service' }])

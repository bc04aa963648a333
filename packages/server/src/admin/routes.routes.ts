import { bracedPath, type Call, type RouteChange, type RouteEdit, routes } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { Act } from '#audit/act.ts'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { invalidFields } from '#http/validation.ts'
import type { RouteRow } from '#storage/admin/admin-tables.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { builtinId, builtinRoutes, findBuiltinCall, isServed } from './builtin-routes.ts'
import { answer, unknownThing } from './refusals.ts'
import { rowIdOf } from './row-id.ts'
import { unknownService } from './services.routes.ts'

type Stores = Pick<AdminStore, 'services' | 'routes' | 'switches'>

export function addRoutesRoutes(app: FastifyInstance, stores: Stores): void {
  mount(app, routes.list, async ({ params }) => {
    const service = await stores.services.find(rowIdOf(params.id))
    if (service === undefined) return unknownService(params.id)
    const ours = service.app === null ? [] : builtinRoutes(service.app, service.id, stores.switches)
    const added = await stores.routes.ofService(service.id)
    return { routes: [...ours, ...added.map(routeToWire)] }
  })

  mount(app, routes.add, async ({ body: { api_endpoint_id, requires_auth = 0, ...route } }, act) => {
    const row = { ...route, requires_auth, service_id: rowIdOf(api_endpoint_id) }
    if (await isOurs(stores, row.service_id, row)) return EXISTS
    const outcome = await stores.routes.add(act, row)
    return answer(outcome, succeeded('added'), { exists: EXISTS, 'no-service': NO_SERVICE })
  })

  mount(app, routes.update, ({ params, body }, act) => {
    const call = findBuiltinCall(params.id)
    if (call === undefined) return changeRoute(stores, act, params.id, body)
    return 'is_active' in body ? switchCall(stores, act, call, body.is_active) : BUILT_IN
  })

  mount(app, routes.remove, async ({ params }, act) => {
    if (findBuiltinCall(params.id) !== undefined) return BUILT_IN
    const outcome = await stores.routes.remove(act, rowIdOf(params.id))
    return answer(outcome, succeeded('deleted'), { unknown: unknownRoute(params.id) })
  })
}

/** API-24, API-25: the switch of a call of ours, in force from the next request on. */
async function switchCall({ switches }: Stores, act: Act, call: Call, isActive: 0 | 1) {
  const { method, summary, alwaysOn } = call.endpoint
  const path = bracedPath(call.endpoint.path)
  if (alwaysOn && isActive === 0) {
    return new Refused(
      'route.always-on',
      `${method} ${path} (${summary}) cannot be switched off: what undoes harm, what tells how the server is and what undoes a switch must always work.`,
    )
  }
  await switches.set(act, { id: call.id, routeId: builtinId(call), method, path }, isActive)
  return succeeded(isActive === 1 ? 'enabled' : 'disabled')()
}

async function changeRoute(stores: Stores, act: Act, id: string, change: RouteChange) {
  const route = await stores.routes.find(rowIdOf(id))
  if (route === undefined) return unknownRoute(id)
  if ('method' in change && (await isOurs(stores, route.service_id, change))) return EXISTS
  const outcome = await stores.routes.update(act, route.id, change)
  return answer(outcome, succeeded('updated'), { exists: EXISTS, unknown: unknownRoute(id) })
}

async function isOurs({ services }: Stores, serviceId: number, route: Pick<RouteEdit, 'method' | 'path'>) {
  const app = (await services.find(serviceId))?.app ?? null
  return app !== null && isServed(app, route.method, route.path)
}

function routeToWire({ service_id, ...route }: RouteRow) {
  return { ...route, api_endpoint_id: service_id, is_builtin: 0 as const }
}

function succeeded(what: string) {
  return () => ({ success: true as const, message: `Route ${what}` })
}

export function unknownRoute(id: string): Refused {
  return unknownThing('route', id, 'GET /api/admin/routes/by-endpoint/{id}')
}

const BUILT_IN = new Refused(
  'route.built-in',
  'This is a call of the server itself: it is neither edited nor deleted. It can be switched off.',
)

const EXISTS = new Refused(
  'thing.exists',
  'The service already has a route with this method and path. Choose another path, or edit that route.',
  [{ field: 'body.path', message: 'is taken by another route of the service, with the same method' }],
)

const NO_SERVICE = invalidFields([{ field: 'body.api_endpoint_id', message: 'names no service' }])

import { APPS, type App, bracedPath, type Call, callsOf, type Route } from '@binnacle/contract'
import type { SwitchesStore } from '#storage/admin/switches-store.ts'

/** Lists the routes of a built-in service from the contract. */
export function builtinRoutes(app: App, serviceId: number, { isOff }: Pick<SwitchesStore, 'isOff'>): Route[] {
  return callsOf(app).map((call) => ({
    id: builtinId(call),
    api_endpoint_id: serviceId,
    method: call.endpoint.method,
    path: bracedPath(call.endpoint.path),
    description: call.endpoint.summary,
    parameters: '{}',
    is_active: isOff(call.id) && !call.endpoint.alwaysOn ? 0 : 1,
    // There is no sign-in yet, so no call requires it.
    requires_auth: 0,
    is_builtin: 1,
    is_always_on: call.endpoint.alwaysOn ? 1 : 0,
  }))
}

/** Returns undefined for a route added by a user, whose id is a number. */
export function findBuiltinCall(routeId: string): Call | undefined {
  return APPS.flatMap(callsOf).find((call) => builtinId(call) === routeId)
}

/** Returns whether a built-in service has this route, with either notation of parameters. */
export function isBuiltinRoute(app: App, method: string, path: string): boolean {
  return callsOf(app).some(
    ({ endpoint }) =>
      endpoint.method === method && (endpoint.path === path || bracedPath(endpoint.path) === path),
  )
}

/** Includes the app, because all three have a health call with the same id. */
export function builtinId({ app, id }: Call): string {
  return `${app}.${id}`
}

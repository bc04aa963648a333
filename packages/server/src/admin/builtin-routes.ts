import { type App, bracedPath, type Call, callsOf, type Route } from '@binnacle/contract'
import type { SwitchesStore } from '#storage/admin/switches-store.ts'

/** The routes of an app of ours are the calls of the contract, so a new version lists what it serves. */
export function builtinRoutes(app: App, serviceId: number, { isOff }: Pick<SwitchesStore, 'isOff'>): Route[] {
  return callsOf(app).map((call) => ({
    id: builtinId(call),
    api_endpoint_id: serviceId,
    method: call.endpoint.method,
    path: bracedPath(call.endpoint.path),
    description: call.endpoint.summary,
    parameters: '{}',
    is_active: isOff(call.id) && !call.endpoint.alwaysOn ? 0 : 1,
    // No call of ours asks for an account until there is sign-in; then it is the role that says so.
    requires_auth: 0,
    is_builtin: 1,
    is_always_on: call.endpoint.alwaysOn ? 1 : 0,
  }))
}

/** Undefined for the id of a route that a person added, which is a number. */
export function findBuiltinCall(routeId: string): Call | undefined {
  return APPS_OF_OURS.flatMap(callsOf).find((call) => builtinId(call) === routeId)
}

/** Whether an app of ours serves exactly this, in either way of writing parameters. */
export function isServed(app: App, method: string, path: string): boolean {
  return callsOf(app).some(
    ({ endpoint }) =>
      endpoint.method === method && (endpoint.path === path || bracedPath(endpoint.path) === path),
  )
}

/** The health call is in three apps under one id, so the app is part of the route's. */
export function builtinId({ app, id }: Call): string {
  return `${app}.${id}`
}

const APPS_OF_OURS = ['trading', 'admin', 'database'] as const

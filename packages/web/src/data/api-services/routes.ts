import {
  type Id,
  type NewRoute,
  type Route,
  type RouteEdit,
  type RouteTestResult,
  routes,
} from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import { type Command, type CommandOptions, isSuccess, useCommand } from '#data/command.ts'
import type { LoadOptions } from '#data/load.ts'
import { apiServiceQueries } from './services.ts'

export interface RouteRequest {
  serviceId: Id
  route: Route
}

export interface RouteEditRequest extends RouteRequest {
  edit: RouteEdit
}

export interface RouteTestRequest extends RouteRequest {
  /** The user has confirmed a request that may change something. */
  isSendConfirmed: boolean
  /** API-36: the user has confirmed a call of the server itself. */
  isOwnConfirmed?: boolean
  /** API-40: instead of those of the route. */
  parameters?: string
}

export const routeQueries = {
  all: [...apiServiceQueries.all, 'routes'] as const,
  /** Serves the route count of a service as well as its rows. */
  ofService: (serviceId: Id, { onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: keyOf(serviceId),
      queryFn: async ({ signal }) =>
        (await call(routes.list, { params: { id: serviceId } }, { signal })).routes,
      meta: { onFailure },
    }),
}

const ROUTE_CHANGE = ['route-change']
const ROUTE_ADD = ['route-add']

export function useToggleRoute(options: CommandOptions<RouteRequest>): Command<RouteRequest> {
  return useChangeRoute(
    ({ route }) =>
      call(routes.update, { params: { id: route.id }, body: { is_active: route.is_active === 1 ? 0 : 1 } }),
    options,
  )
}

export function useEditRoute(options: CommandOptions<RouteEditRequest>): Command<RouteEditRequest> {
  return useChangeRoute(
    ({ route, edit }) => call(routes.update, { params: { id: route.id }, body: edit }),
    options,
  )
}

export function useDeleteRoute(options: CommandOptions<RouteRequest>): Command<RouteRequest> {
  return useChangeRoute(({ route }) => call(routes.remove, { params: { id: route.id } }), options)
}

/** A test changes nothing, so nothing is loaded again. */
export function useTestRoute(
  options: CommandOptions<RouteTestRequest, RouteTestResult>,
): Command<RouteTestRequest> {
  return useCommand(
    {
      key: ROUTE_CHANGE,
      subject: routeIdOf,
      send: sendTest,
    },
    options,
  )
}

/** API-41: the routes of a service that only read, one after the other. */
export function useTestAllRoutes(
  options: CommandOptions<readonly Route[], readonly RouteTestReport[]>,
): Command<readonly Route[]> {
  return useCommand(
    {
      key: TEST_ALL,
      send: async (listed: readonly Route[]) => {
        const reports: RouteTestReport[] = []
        for (const route of listed) {
          const result = await call(routes.test, { params: { id: route.id } })
          reports.push({ route, result })
        }
        return reports
      },
    },
    options,
  )
}

const TEST_ALL = ['route-test-all']

export interface RouteTestReport {
  route: Route
  result: RouteTestResult
}

function sendTest({ route, isSendConfirmed, isOwnConfirmed, parameters }: RouteTestRequest) {
  const body = {
    ...(isSendConfirmed && { send: true }),
    ...(isSendConfirmed && isOwnConfirmed && { own_server: true }),
    ...(parameters !== undefined && { parameters }),
  }
  const hasBody = Object.keys(body).length > 0
  return call(routes.test, { params: { id: route.id }, ...(hasBody && { body }) })
}

/** Subjects are ids of services. */
export function useAddRoute(options: CommandOptions<NewRoute>): Command<NewRoute> {
  return useCommand(
    {
      key: ROUTE_ADD,
      subject: ({ api_endpoint_id: serviceId }) => String(serviceId),
      send: (route) => call(routes.add, { body: route }),
      isDone: isSuccess,
      reload: (client, { api_endpoint_id: serviceId }) =>
        client.invalidateQueries({ queryKey: keyOf(serviceId) }),
    },
    options,
  )
}

/**
 * Toggle, edit, delete and test share a key; their subjects are ids of routes.
 * API-23: a reply that says `success: false` is silent and changes nothing on the screen.
 */
function useChangeRoute<Request extends RouteRequest, Reply extends { success: boolean }>(
  send: (request: Request) => Promise<Reply>,
  options: CommandOptions<Request>,
): Command<Request> {
  return useCommand(
    {
      key: ROUTE_CHANGE,
      subject: routeIdOf,
      send,
      isDone: isSuccess,
      reload: (client, { serviceId }) => client.invalidateQueries({ queryKey: keyOf(serviceId) }),
    },
    options,
  )
}

// A backend may send the same id as a number in one reply and as a string in another.
function keyOf(serviceId: Id) {
  return [...routeQueries.all, String(serviceId)] as const
}

function routeIdOf({ route }: RouteRequest): string {
  return String(route.id)
}

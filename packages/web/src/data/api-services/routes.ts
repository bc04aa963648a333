import {
  type Id,
  type NewRoute,
  type Route,
  type RouteEdit,
  type RouteTestResult,
  routes,
} from '@binnacle/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type ChangeOptions, type StartChange, useChange, useSubjectsUnderWay } from '#data/changes/change.ts'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'
import { apiServiceQueries } from './services.ts'

export interface RouteSent {
  serviceId: Id
  route: Route
}

export interface RouteEditSent extends RouteSent {
  edit: RouteEdit
}

export interface RouteTestSent extends RouteSent {
  /** The person has agreed that a request which may change something is really sent. */
  isSendMeant: boolean
}

export const routeQueries = {
  all: [...apiServiceQueries.all, 'routes'] as const,
  /** One call per service gives its count as well as its rows. */
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

export function useToggleRoute(options: ChangeOptions<RouteSent>): StartChange<RouteSent> {
  return useRouteChange(options, ({ route }) =>
    call(routes.update, { params: { id: route.id }, body: { is_active: route.is_active === 1 ? 0 : 1 } }),
  )
}

export function useEditRoute(options: ChangeOptions<RouteEditSent>): StartChange<RouteEditSent> {
  return useRouteChange(options, ({ route, edit }) =>
    call(routes.update, { params: { id: route.id }, body: edit }),
  )
}

export function useDeleteRoute(options: ChangeOptions<RouteSent>): StartChange<RouteSent> {
  return useRouteChange(options, ({ route }) => call(routes.remove, { params: { id: route.id } }))
}

/** A test changes nothing, so its result is all there is to say. */
export function useTestRoute(
  options: ChangeOptions<RouteTestSent, RouteTestResult>,
): StartChange<RouteTestSent> {
  return useChange<RouteTestSent, RouteTestResult>({
    key: ROUTE_CHANGE,
    subject: subjectOf,
    send: ({ route, isSendMeant }) =>
      call(routes.test, { params: { id: route.id }, ...(isSendMeant && { body: { send: true } }) }),
    onReply: (result, sent) => options.onDone(sent, result),
    onFailure: options.onFailure,
  })
}

export function useAddRoute(options: ChangeOptions<NewRoute>): StartChange<NewRoute> {
  const reload = useReloadRoutes()
  return useChange({
    key: ROUTE_ADD,
    subject: ({ api_endpoint_id: serviceId }) => String(serviceId),
    send: (route) => call(routes.add, { body: route }),
    onReply: (reply, sent) => {
      if (!reply.success) return
      options.onDone(sent, reply)
      return reload(sent.api_endpoint_id)
    },
    onFailure: options.onFailure,
  })
}

/** The ids, as texts, of routes that are being tested or changed. */
export function useBusyRoutes(): ReadonlySet<string> {
  return useSubjectsUnderWay(ROUTE_CHANGE)
}

/** The ids, as texts, of services that are getting a route. */
export function useGrowingServices(): ReadonlySet<string> {
  return useSubjectsUnderWay(ROUTE_ADD)
}

interface RouteReply {
  success: boolean
}

/** API-23: a reply that says `success: false` is silent and leaves everything as it stands. */
function useRouteChange<Sent extends RouteSent, Reply extends RouteReply>(
  options: ChangeOptions<Sent>,
  send: (sent: Sent) => Promise<Reply>,
): StartChange<Sent> {
  const reload = useReloadRoutes()
  return useChange({
    key: ROUTE_CHANGE,
    subject: subjectOf,
    send,
    onReply: (reply, sent) => {
      if (!reply.success) return
      options.onDone(sent, reply)
      return reload(sent.serviceId)
    },
    onFailure: options.onFailure,
  })
}

function useReloadRoutes(): (serviceId: Id) => Promise<void> {
  const client = useQueryClient()
  return (serviceId) => client.invalidateQueries({ queryKey: keyOf(serviceId) })
}

// A backend may give one id as a number here and as a text there.
function keyOf(serviceId: Id) {
  return [...routeQueries.all, String(serviceId)] as const
}

function subjectOf({ route }: RouteSent): string {
  return String(route.id)
}

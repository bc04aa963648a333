import type { ApiRoute } from './entities.ts'
import { byId, fieldsOf, type HandlerInput, NOT_FOUND, ok, type Routes, textOf, without } from './handlers.ts'
import type { Reply } from './reply-overrides.ts'

const pageRoutes: Routes = {
  'GET /api/admin/health': () => ok({ status: 'ok' }),
  'GET /api/admin/settings': ({ state }) => ok({ settings: state.settings }),
  'GET /api/admin/settings/:key': ({ state, params }) => {
    const setting = state.settings.find(({ key }) => key === params.key)
    return setting ? ok(setting) : NOT_FOUND
  },
  'PUT /api/admin/settings/:key': ({ state, params, query }) => {
    const setting = state.settings.find(({ key }) => key === params.key)
    if (!setting) return NOT_FOUND
    setting.value = query.value ?? ''
    return ok({})
  },
  'GET /api/admin/users': ({ state }) => ok({ users: state.users }),
  'GET /api/admin/api-configs': ({ state }) => ok({ configs: state.configs }),
  'GET /api/admin/tasks': () => ok({ tasks: [] }),
  'GET /api/admin/audit-logs': () => ok({ logs: [] }),
}

const serviceRoutes: Routes = {
  'GET /api/admin/endpoints': ({ state }) => ok({ endpoints: state.services }),
  'GET /api/admin/routes/by-endpoint/:id': ({ state, params }) =>
    ok({ routes: state.routes.filter((route) => String(route.api_endpoint_id) === params.id) }),
  'POST /api/admin/routes': addRoute,
  'PUT /api/admin/routes/:id': changeRoute,
  'DELETE /api/admin/routes/:id': ({ state, params }) => {
    if (!byId(state.routes, params.id)) return NOT_FOUND
    state.routes = without(state.routes, params.id)
    return ok({ success: true })
  },
  'POST /api/admin/routes/:id/test': ({ state, params }) =>
    byId(state.routes, params.id) ? ok({ success: true, response_time: 42 }) : NOT_FOUND,
  'GET /services/:name/api/health': ({ params }) => ({
    status: params.name === 'ailing' ? 503 : 200,
    body: {},
    headers: { 'access-control-allow-origin': '*' },
  }),
}

export const adminRoutes: Routes = { ...pageRoutes, ...serviceRoutes }

function addRoute({ state, body }: HandlerInput): Reply {
  const { method, path, description, parameters, api_endpoint_id: service } = fieldsOf(body)
  const route: ApiRoute = {
    id: 1 + Math.max(0, ...state.routes.map(({ id }) => Number(id) || 0)),
    api_endpoint_id: typeof service === 'number' ? service : textOf(service),
    method: textOf(method, 'GET'),
    path: textOf(path),
    description: textOf(description),
    parameters: textOf(parameters, '{}'),
    is_active: 1,
    requires_auth: 0,
  }
  state.routes = [...state.routes, route]
  return ok({ success: true })
}

function changeRoute({ state, params, body }: HandlerInput): Reply {
  const route = byId(state.routes, params.id)
  if (!route) return NOT_FOUND
  Object.assign(route, fieldsOf(body))
  return ok({ success: true })
}

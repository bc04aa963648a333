import type { AdminUser, ApiConfig, ApiRoute, ApiService, Setting } from '#backend/entities.ts'
import type { Addresses, State } from '#backend/state.ts'

export type AdminSeed = Pick<State, 'settings' | 'users' | 'configs' | 'services' | 'routes'>

export function adminSeed(addresses: Addresses): AdminSeed {
  return {
    settings: settings(),
    users: [
      aUser(),
      aUser({ id: 2, username: 'grace', email: 'grace@example.com', role: 'operator' }),
      aUser({ id: 3, username: 'edsger', email: 'edsger@example.com', role: 'auditor', is_active: 0 }),
    ],
    configs: [
      anApiConfig(),
      anApiConfig({ id: 2, name: 'Market data', endpoint: '/api/instruments' }),
      anApiConfig({ id: 3, name: 'Legacy feed', endpoint: '/api/legacy', is_enabled: 0 }),
    ],
    services: services(addresses),
    routes: routes(),
  }
}

export function aSetting(given: Partial<Setting> = {}): Setting {
  return {
    key: 'system_name',
    value: 'Binnacle',
    description: 'Name shown to people',
    category: 'general',
    ...given,
  }
}

function aUser(given: Partial<AdminUser> = {}): AdminUser {
  return { id: 1, username: 'ada', email: 'ada@example.com', role: 'owner', is_active: 1, ...given }
}

function anApiConfig(given: Partial<ApiConfig> = {}): ApiConfig {
  return { id: 1, name: 'Trading', endpoint: '/api/orders', is_enabled: 1, ...given }
}

function aService(given: Partial<ApiService> = {}): ApiService {
  return {
    id: 1,
    name: 'Trading API',
    description: 'Orders and positions',
    url: 'http://localhost:8000',
    ...given,
  }
}

export function aRoute(given: Partial<ApiRoute> = {}): ApiRoute {
  return {
    id: 1,
    api_endpoint_id: 1,
    method: 'GET',
    path: '/api/orders',
    description: 'List the orders',
    parameters: '{}',
    is_active: 1,
    requires_auth: 0,
    ...given,
  }
}

/** The keys with a slash, a space and a quote must reach the server whole. */
function settings(): Setting[] {
  return [
    aSetting(),
    aSetting({ key: 'time zone', value: 'UTC', description: 'Zone of the reports' }),
    aSetting({
      key: 'session/timeout',
      value: '30',
      description: 'Minutes until sign-out',
      category: 'security',
    }),
    aSetting({
      key: "banner 'text'",
      value: 'a & b = 100%',
      description: 'Shown on top',
      category: 'appearance',
    }),
  ]
}

/** One healthy service, one that answers 503, one that cannot be reached. */
function services({ origin, deadOrigin }: Addresses): ApiService[] {
  return [
    aService({ url: origin }),
    aService({
      id: 2,
      name: 'Pricing API',
      description: 'Quotes and curves',
      url: `${origin}/services/ailing`,
    }),
    aService({ id: 3, name: 'Archive API', description: 'Old reports', url: deadOrigin }),
  ]
}

/** The third service has none. */
function routes(): ApiRoute[] {
  return [
    aRoute(),
    aRoute({
      id: 2,
      method: 'POST',
      description: 'Place an order',
      parameters: '{"dry_run":"boolean"}',
      requires_auth: 1,
    }),
    aRoute({
      id: 3,
      method: 'DELETE',
      path: '/api/orders/{id}',
      description: 'Cancel an order',
      is_active: 0,
    }),
    aRoute({ id: 4, api_endpoint_id: 2, path: '/api/quotes', description: 'Latest quotes' }),
  ]
}

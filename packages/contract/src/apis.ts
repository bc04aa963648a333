import { apiConfigs } from './admin/api-configs.ts'
import { auditLogs } from './admin/audit-logs.ts'
import { adminHealth } from './admin/health.ts'
import { jobs } from './admin/jobs.ts'
import { metrics, monitoring } from './admin/monitoring.ts'
import { notifications } from './admin/notifications.ts'
import { routes } from './admin/routes.ts'
import { services } from './admin/services.ts'
import { settings } from './admin/settings.ts'
import { systemSettings } from './admin/system-settings.ts'
import { tasks } from './admin/tasks.ts'
import { users } from './admin/users.ts'
import { backups } from './database/backups.ts'
import { connections } from './database/connections.ts'
import { queries, savedQueries } from './database/queries.ts'
import { tables } from './database/tables.ts'
import { APPS, type App, type Endpoint } from './endpoint.ts'
import { listener } from './listener.ts'
import { adapters } from './trading/adapters.ts'
import { alerts } from './trading/alerts.ts'
import { backtestWorkers } from './trading/backtest-workers.ts'
import { backtests } from './trading/backtests.ts'
import { components, nautilusComponents } from './trading/components.ts'
import { dataSets } from './trading/data-sets.ts'
import { emergency } from './trading/emergency.ts'
import { engine } from './trading/engine.ts'
import { engines } from './trading/engines.ts'
import { features, platformServices } from './trading/features.ts'
import { fills } from './trading/fills.ts'
import { instruments } from './trading/instruments.ts'
import { maintenance, nautilusMaintenance } from './trading/maintenance.ts'
import { marketData } from './trading/market-data.ts'
import { orderHistory } from './trading/order-history.ts'
import { orders } from './trading/orders.ts'
import { performance } from './trading/performance.ts'
import { positions } from './trading/positions.ts'
import { account, risk, tradingState } from './trading/risk.ts'
import { samples } from './trading/samples.ts'
import { service } from './trading/service.ts'
import { nautilusStrategies, strategies } from './trading/strategies.ts'
import { strategyModules } from './trading/strategy-modules.ts'
import { strategyTypes } from './trading/strategy-types.ts'
import { sweeps } from './trading/sweeps.ts'
import { system } from './trading/system.ts'

/** Calls by resource and act. */
type Api = Record<string, Record<string, Endpoint>>

const tradingApi: Api = {
  listener,
  service,
  engine,
  engines,
  system,
  metrics,
  strategies,
  nautilusStrategies,
  strategyTypes,
  orders,
  orderHistory,
  fills,
  positions,
  account,
  risk,
  tradingState,
  samples,
  emergency,
  instruments,
  marketData,
  dataSets,
  backtests,
  performance,
  alerts,
  sweeps,
  strategyModules,
  backtestWorkers,
  components,
  nautilusComponents,
  adapters,
  features,
  platformServices,
  maintenance,
  nautilusMaintenance,
}

const adminApi: Api = {
  listener,
  adminHealth,
  settings,
  systemSettings,
  notifications,
  users,
  apiConfigs,
  services,
  routes,
  tasks,
  jobs,
  auditLogs,
  monitoring,
}

const databaseApi: Api = { listener, connections, tables, queries, savedQueries, backups }

const APIS: Record<App, Api> = { trading: tradingApi, admin: adminApi, database: databaseApi }

/** One call of one app. The id, such as 'orders.place', names it in OpenAPI, toggles and logs. */
export interface Call {
  id: string
  app: App
  endpoint: Endpoint
}

/** The calls of one app in the order of its table. */
export function callsOf(app: App): Call[] {
  return Object.entries(APIS[app]).flatMap(([resource, endpoints]) =>
    Object.entries(endpoints).map(([act, endpoint]) => ({ id: `${resource}.${act}`, app, endpoint })),
  )
}

/** The id of a declared call; undefined if it is not in the table. */
export function idOf(endpoint: Endpoint): string | undefined {
  ids ??= new Map(allCalls().map((call) => [call.endpoint, call.id]))
  return ids.get(endpoint)
}

let ids: Map<Endpoint, string> | undefined

/** Every call of every app. The calls of `listener` appear once per app. */
export function allCalls(): Call[] {
  return APPS.flatMap(callsOf)
}

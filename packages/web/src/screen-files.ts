import { paths } from './paths.ts'

/** What the page of a screen names, so that it loads beside the first script. */
export interface ScreenFiles {
  /** The screen's module, from the folder of this package. */
  module: string
  /** The calls whose replies it shows first. */
  calls: readonly string[]
}

/** SHELL-43: the build writes this table beside the site, and the server reads it there. */
export const screenFiles: Readonly<Record<string, ScreenFiles>> = {
  [paths.trader]: screen(
    'trader/dashboard/dashboard-page',
    '/api/engine/info',
    '/api/nautilus/system-info',
    '/api/risk/metrics',
    '/api/positions',
    '/api/orders',
    '/api/strategies',
  ),
  [paths.strategies]: screen(
    'trader/strategies/strategies-page',
    '/api/strategies',
    '/api/strategy-types',
    '/api/nautilus/promotions',
  ),
  [paths.orders]: screen('trader/orders/orders-page', '/api/orders'),
  [paths.positions]: screen('trader/positions/positions-page', '/api/positions', '/api/risk/metrics'),
  [paths.risk]: screen(
    'trader/risk/risk-page',
    '/api/risk/limits',
    '/api/risk/metrics',
    '/api/engine/info',
    '/api/trading-state',
  ),
  [paths.marketData]: screen(
    'trader/market-data/market-data-page',
    '/api/instruments',
    '/api/market/quotes',
    '/api/orders',
    '/api/positions',
    '/api/fills?limit=500',
  ),
  [paths.performance]: screen('trader/performance/performance-page', '/api/strategies'),
  [paths.alerts]: screen(
    'trader/alerts/alerts-page',
    '/api/alerts',
    '/api/alerts/rules',
    '/api/alerts/channels',
    '/api/alerts/heartbeat',
  ),
  [paths.backtesting]: screen('trader/backtesting/backtesting-page', '/api/nautilus/backtests?limit=500'),
  [paths.admin]: screen('admin/dashboard/dashboard-page', '/api/database/status'),
  [paths.adminDatabase]: screen('admin/maintenance/maintenance-page', '/api/database/status'),
  [paths.adminComponents]: screen(
    'admin/components/components-page',
    '/api/nautilus/system-info',
    '/api/components',
  ),
  [paths.adminFeatures]: screen('admin/features/features-page', '/api/features'),
  [paths.adminAdapters]: screen('admin/adapters/adapters-page', '/api/adapters'),
  [paths.adminMonitoring]: screen('admin/monitoring/monitoring-page', '/api/admin/monitoring'),
  [paths.adminSettings]: screen('admin/settings/settings-page', '/api/admin/system-settings'),
  [paths.adminDatabasePage]: screen(
    'admin/admin-database/admin-database-page',
    '/api/admin/settings',
    '/api/admin/users',
    '/api/admin/api-configs',
  ),
  [paths.adminApiConfig]: screen('admin/api-config/api-config-page', '/api/admin/endpoints'),
  [paths.adminDbManagement]: screen('admin/db-management/db-management-page', '/api/db/connections'),
  [paths.docs]: screen('docs/docs-page'),
}

function screen(page: string, ...calls: string[]): ScreenFiles {
  return { module: `src/pages/${page}.tsx`, calls }
}

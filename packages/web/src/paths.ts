/** Every URL of the console. Router, links and palette take them from here. */
export const paths = {
  home: '/',
  admin: '/admin',
  adminDatabase: '/admin/database',
  adminComponents: '/admin/components',
  adminFeatures: '/admin/features',
  adminAdapters: '/admin/adapters',
  adminMonitoring: '/admin/monitoring',
  adminSettings: '/admin/settings',
  adminDatabasePage: '/admin/database-management',
  adminApiConfig: '/admin/api-config',
  adminDbManagement: '/admin/db-management',
  trader: '/trader',
  strategies: '/trader/strategies',
  orders: '/trader/orders',
  positions: '/trader/positions',
  risk: '/trader/risk',
  marketData: '/trader/market-data',
  performance: '/trader/performance',
  alerts: '/trader/alerts',
  backtesting: '/trader/backtesting',
  docs: '/docs',
  notFound: '/404',
} as const

export type PathName = keyof typeof paths

/** Links of the specification without a route. ROUTE-3: not found; ROUTE-7: redirected with a live backend. */
export const unroutedPaths = {
  adminPositions: '/admin/positions',
  adminOrders: '/admin/orders',
  traderBacktest: '/trader/backtest',
} as const

export const redirects = {
  [unroutedPaths.adminPositions]: paths.positions,
  [unroutedPaths.adminOrders]: paths.orders,
  [unroutedPaths.traderBacktest]: paths.backtesting,
} as const

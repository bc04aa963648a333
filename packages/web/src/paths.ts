/** Every URL of the console, once. Router, links, palette and tests take names from here. */
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

/** Links the specification sets although nothing is routed there: they reach the not-found page on purpose. */
export const unroutedPaths = {
  adminPositions: '/admin/positions',
  adminOrders: '/admin/orders',
  traderBacktest: '/trader/backtest',
} as const

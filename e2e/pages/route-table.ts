export interface ConsoleRoute {
  path: string
  title: string
  /** What the rail and the palette call the screen. */
  screen: string
  back?: { name: string; to: string }
}

const TO_ADMIN = { name: 'Back', to: '/admin' }
const TO_TRADER = { name: 'Back', to: '/trader' }
const TO_HOME = { name: 'Back to Home', to: '/' }

/** The specification's route table, the not-found page aside. */
export const ROUTE_TABLE: ConsoleRoute[] = [
  { path: '/', title: 'Binnacle', screen: 'Home' },
  { path: '/admin', title: 'Binnacle Admin Panel', screen: 'Admin Panel', back: TO_HOME },
  { path: '/admin/database', title: 'Database', screen: 'Database', back: TO_ADMIN },
  { path: '/admin/components', title: 'Components', screen: 'Components', back: TO_ADMIN },
  { path: '/admin/features', title: 'Features', screen: 'Features', back: TO_ADMIN },
  { path: '/admin/adapters', title: 'Adapters', screen: 'Adapters', back: TO_ADMIN },
  { path: '/admin/monitoring', title: 'Monitoring', screen: 'Monitoring', back: TO_ADMIN },
  { path: '/admin/settings', title: 'Settings', screen: 'Settings', back: TO_ADMIN },
  { path: '/admin/database-management', title: 'Admin Database', screen: 'Admin Database', back: TO_ADMIN },
  { path: '/admin/api-config', title: 'API Configuration', screen: 'API Configuration', back: TO_ADMIN },
  {
    path: '/admin/db-management',
    title: 'Database Management',
    screen: 'Database Management',
    back: TO_ADMIN,
  },
  { path: '/trader', title: 'Trader Panel', screen: 'Trader Panel', back: TO_HOME },
  { path: '/trader/strategies', title: 'Strategies', screen: 'Strategies', back: TO_ADMIN },
  { path: '/trader/orders', title: 'Orders', screen: 'Orders', back: TO_ADMIN },
  { path: '/trader/positions', title: 'Positions', screen: 'Positions', back: TO_ADMIN },
  {
    path: '/trader/risk',
    title: 'Risk Management',
    screen: 'Risk Management',
    back: { name: '← Back to Dashboard', to: '/admin' },
  },
  { path: '/trader/market-data', title: 'Market Data', screen: 'Market Data', back: TO_TRADER },
  { path: '/trader/performance', title: 'Performance Analytics', screen: 'Performance', back: TO_TRADER },
  { path: '/trader/alerts', title: 'Alerts & Notifications', screen: 'Alerts', back: TO_TRADER },
  { path: '/trader/backtesting', title: 'Backtesting', screen: 'Backtesting', back: TO_TRADER },
  { path: '/docs', title: 'Documentation', screen: 'Documentation', back: TO_HOME },
]

import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { capabilityQueries } from '#data/capabilities.ts'
import { HomePage } from '#pages/home/home-page.tsx'
import { paths, redirects } from '#paths.ts'

const Shell = lazyPage(() => import('./shell/shell.tsx'), 'Shell')

const MarketDataPlaceholder = lazy(async () => ({
  default: (await import('#pages/trader/placeholders/placeholder-pages.tsx')).MarketDataPlaceholder,
}))
const MarketDataPage = lazyPage(
  () => import('#pages/trader/market-data/market-data-page.tsx'),
  'MarketDataPage',
)

/** Every screen but home is loaded when it is first opened. */
const screens: readonly [path: string, Screen: ComponentType][] = [
  [paths.admin, lazyPage(() => import('#pages/admin/dashboard/dashboard-page.tsx'), 'AdminDashboardPage')],
  [
    paths.adminDatabase,
    lazyPage(() => import('#pages/admin/maintenance/maintenance-page.tsx'), 'MaintenancePage'),
  ],
  [
    paths.adminComponents,
    lazyPage(() => import('#pages/admin/components/components-page.tsx'), 'ComponentsPage'),
  ],
  [paths.adminFeatures, lazyPage(() => import('#pages/admin/features/features-page.tsx'), 'FeaturesPage')],
  [paths.adminAdapters, lazyPage(() => import('#pages/admin/adapters/adapters-page.tsx'), 'AdaptersPage')],
  [
    paths.adminMonitoring,
    lazyPage(() => import('#pages/admin/monitoring/monitoring-page.tsx'), 'MonitoringPage'),
  ],
  [paths.adminSettings, lazyPage(() => import('#pages/admin/settings/settings-page.tsx'), 'SettingsPage')],
  [
    paths.adminDatabasePage,
    lazyPage(() => import('#pages/admin/admin-database/admin-database-page.tsx'), 'AdminDatabasePage'),
  ],
  [
    paths.adminApiConfig,
    lazyPage(() => import('#pages/admin/api-config/api-config-page.tsx'), 'ApiConfigPage'),
  ],
  [
    paths.adminDbManagement,
    lazyPage(() => import('#pages/admin/db-management/db-management-page.tsx'), 'DbManagementPage'),
  ],
  [paths.trader, lazyPage(() => import('#pages/trader/dashboard/dashboard-page.tsx'), 'TraderDashboardPage')],
  [
    paths.strategies,
    lazyPage(() => import('#pages/trader/strategies/strategies-page.tsx'), 'StrategiesPage'),
  ],
  [paths.orders, lazyPage(() => import('#pages/trader/orders/orders-page.tsx'), 'OrdersPage')],
  [paths.positions, lazyPage(() => import('#pages/trader/positions/positions-page.tsx'), 'PositionsPage')],
  [paths.risk, lazyPage(() => import('#pages/trader/risk/risk-page.tsx'), 'RiskPage')],
  [paths.marketData, () => <MarketDataPlaceholder live={<MarketDataPage />} />],
  [
    paths.performance,
    lazyPage(() => import('#pages/trader/placeholders/placeholder-pages.tsx'), 'PerformancePage'),
  ],
  [paths.alerts, lazyPage(() => import('#pages/trader/placeholders/placeholder-pages.tsx'), 'AlertsPage')],
  [
    paths.backtesting,
    lazyPage(() => import('#pages/trader/placeholders/placeholder-pages.tsx'), 'BacktestingPage'),
  ],
  [paths.docs, lazyPage(() => import('#pages/docs/docs-page.tsx'), 'DocsPage')],
]

const NotFoundPage = lazyPage(() => import('#pages/not-found/not-found-page.tsx'), 'NotFoundPage')

export function ConsoleRoutes() {
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route path={paths.home} element={<HomePage />} />
        <Route element={<Shell />}>
          {screens.map(([path, Screen]) => (
            <Route key={path} path={path} element={<Screen />} />
          ))}
          {Object.entries(redirects).map(([path, to]) => (
            <Route key={path} path={path} element={<LiveRedirect to={to} />} />
          ))}
          <Route path={paths.notFound} element={<NotFoundPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
    </Suspense>
  )
}

/** ROUTE-7: in the baseline and while the backend is unknown the link is not found, as specified. */
function LiveRedirect({ to }: { to: string }) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return backend?.kind === 'live' ? <Navigate to={to} replace /> : <NotFoundPage />
}

/** React.lazy needs a default export, and our modules have none. */
function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await load())[name] }))
}

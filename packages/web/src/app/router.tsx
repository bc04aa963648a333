import { type ComponentType, lazy, Suspense } from 'react'
import { matchPath, Route, Routes } from 'react-router'
import { HomePage } from '#pages/home/home-page.tsx'
import { paths, redirects } from '#paths.ts'

const Shell = lazyPage(() => import('./shell/shell.tsx'), 'Shell')
const LiveRedirect = lazyPage(() => import('./live-redirect.tsx'), 'LiveRedirect')

const MarketDataPlaceholder = lazy(async () => ({
  default: (await import('#pages/trader/placeholders/placeholder-pages.tsx')).MarketDataPlaceholder,
}))
const MarketDataPage = lazyPage(
  () => import('#pages/trader/market-data/market-data-page.tsx'),
  'MarketDataPage',
)

const MarketData = Object.assign(() => <MarketDataPlaceholder live={<MarketDataPage />} />, {
  load: MarketDataPage.load,
})

const AlertsPlaceholder = lazy(async () => ({
  default: (await import('#pages/trader/placeholders/placeholder-pages.tsx')).AlertsPlaceholder,
}))
const AlertsPage = lazyPage(() => import('#pages/trader/alerts/alerts-page.tsx'), 'AlertsPage')

const Alerts = Object.assign(() => <AlertsPlaceholder live={<AlertsPage />} />, { load: AlertsPage.load })

const PerformancePlaceholder = lazy(async () => ({
  default: (await import('#pages/trader/placeholders/placeholder-pages.tsx')).PerformancePlaceholder,
}))
const PerformancePage = lazyPage(
  () => import('#pages/trader/performance/performance-page.tsx'),
  'PerformancePage',
)

const Performance = Object.assign(() => <PerformancePlaceholder live={<PerformancePage />} />, {
  load: PerformancePage.load,
})

const BacktestingPlaceholder = lazy(async () => ({
  default: (await import('#pages/trader/placeholders/placeholder-pages.tsx')).BacktestingPlaceholder,
}))
const BacktestingPage = lazyPage(
  () => import('#pages/trader/backtesting/backtesting-page.tsx'),
  'BacktestingPage',
)

const Backtesting = Object.assign(() => <BacktestingPlaceholder live={<BacktestingPage />} />, {
  load: BacktestingPage.load,
})

/** Every screen but home is loaded when it is first opened. */
const screens: readonly [path: string, Screen: ComponentType & Loadable][] = [
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
  [paths.marketData, MarketData],
  [paths.performance, Performance],
  [paths.alerts, Alerts],
  [paths.backtesting, Backtesting],
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
          {Object.keys(redirects).map((path) => (
            <Route key={path} path={path} element={<LiveRedirect />} />
          ))}
          <Route path={paths.notFound} element={<NotFoundPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
    </Suspense>
  )
}

/** Starts to load the code of a path's screen, so that it arrives while the page is still being set up. */
export function preloadScreen(pathname: string): void {
  if (pathname === paths.home) return
  const screen = screens.find(([path]) => matchPath(path, pathname) !== null)?.[1] ?? NotFoundPage
  // A failure shows when the screen is rendered, which loads it again.
  for (const page of [Shell, screen]) page.load().catch(() => {})
}

interface Loadable {
  load: () => Promise<unknown>
}

/** React.lazy needs a default export, and our modules have none. */
function lazyPage<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  const Page = lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await load())[name] }))
  return Object.assign(Page, { load: (): Promise<unknown> => load() })
}

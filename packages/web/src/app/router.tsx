import { type ComponentType, type ReactNode, Suspense } from 'react'
import { matchPath, Route, Routes } from 'react-router'
import type { FirstLoads } from '#data/first-loads.ts'
import { HomePage } from '#pages/home/home-page.tsx'
import { paths, redirects } from '#paths.ts'
import { lazyPart } from '#ui/state/lazy-part.tsx'

const Shell = lazyPage(() => import('./shell/shell.tsx'), 'Shell')
const LiveRedirect = lazyPage(() => import('./live-redirect.tsx'), 'LiveRedirect')

const MarketData = livePage(
  'MarketDataPlaceholder',
  lazyPage(() => import('#pages/trader/market-data/market-data-page.tsx'), 'MarketDataPage'),
)
const Performance = livePage(
  'PerformancePlaceholder',
  lazyPage(() => import('#pages/trader/performance/performance-page.tsx'), 'PerformancePage'),
)
const Alerts = livePage(
  'AlertsPlaceholder',
  lazyPage(() => import('#pages/trader/alerts/alerts-page.tsx'), 'AlertsPage'),
)
const Backtesting = livePage(
  'BacktestingPlaceholder',
  lazyPage(() => import('#pages/trader/backtesting/backtesting-page.tsx'), 'BacktestingPage'),
)

/** Every screen but home is loaded when it is first opened. */
export const screens: readonly [path: string, Screen: LazyPage][] = [
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

/** Loads the code of a path's screen and what it shows first, so that the first rendering shows it whole. Never rejects. */
export async function preloadScreen(pathname: string): Promise<void> {
  if (pathname === paths.home) return
  const screen = screens.find(([path]) => matchPath(path, pathname) !== null)?.[1] ?? NotFoundPage
  // A failure shows when the screen is rendered, which loads it again.
  const [, loaded] = await Promise.allSettled([Shell.load(), screen.load()])
  if (loaded.status === 'rejected' || loaded.value.firstLoads === undefined) return
  const { prepareShell } = await import('./shell/shell.tsx')
  await prepareShell(loaded.value.firstLoads)
}

interface LoadedPage<Props> {
  default: ComponentType<Props>
  firstLoads: FirstLoads | undefined
}

type LazyPage<Props = object> = ComponentType<Props> & { load: () => Promise<LoadedPage<Props>> }

/** Rendered at once when its module is loaded, else suspended until it is. */
function lazyPage<Name extends string, Props extends object = object>(
  load: () => Promise<Record<Name, ComponentType<NoInfer<Props>>> & { firstLoads?: FirstLoads }>,
  name: Name,
): LazyPage<Props> {
  let firstLoads: FirstLoads | undefined
  const Part = lazyPart<Props>(async () => {
    const page = await load()
    firstLoads = page.firstLoads
    return page[name]
  })
  return Object.assign((props: Props) => <Part {...props} />, {
    load: async () => ({ default: await Part.load(), firstLoads }),
  })
}

type PlaceholderName =
  | 'MarketDataPlaceholder'
  | 'PerformancePlaceholder'
  | 'AlertsPlaceholder'
  | 'BacktestingPlaceholder'

/** SOON-3: shown instead of its placeholder by a backend that offers it. */
function livePage(placeholder: PlaceholderName, Live: LazyPage): LazyPage {
  const Placeholder = lazyPage<PlaceholderName, { live: ReactNode }>(
    () => import('#pages/trader/placeholders/placeholder-pages.tsx'),
    placeholder,
  )
  return Object.assign(() => <Placeholder live={<Live />} />, {
    load: async () => (await Promise.all([Live.load(), Placeholder.load()]))[0],
  })
}

import { Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation } from 'react-router'
import { ErrorScreen } from '#app/error-screen.tsx'
import { PortsProvider } from '#app/ports-provider.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { ConsoleToaster } from './console-toaster.tsx'
import { Header } from './header.tsx'
import { JobList } from './job-list.tsx'
import { Rail } from './rail.tsx'
import classes from './shell.module.css'
import { StoppedBar } from './stopped-bar.tsx'
import { TradingBar } from './trading-bar.tsx'
import { usePalette } from './use-palette.tsx'

/** The frame of every screen but home: header, navigation, status bars, toasts. */
export function Shell() {
  const { pathname } = useLocation()
  const palette = usePalette()
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Header onOpenPalette={palette.open} />
      <Rail />
      <main id="content" className={classes.main} tabIndex={-1}>
        <TradingBar />
        <StoppedBar />
        <JobList />
        <ErrorBoundary FallbackComponent={ErrorScreen} resetKeys={[pathname]}>
          <PortsProvider>
            <Suspense fallback={<Loading text="Opening…" />}>
              <Outlet />
            </Suspense>
          </PortsProvider>
        </ErrorBoundary>
      </main>
      <BottomBar onMore={palette.open} />
      {palette.element}
      <ConsoleToaster />
    </div>
  )
}

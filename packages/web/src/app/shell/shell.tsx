import { Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation } from 'react-router'
import { ErrorScreen } from '#app/error-screen.tsx'
import { PortsProvider } from '#app/ports-provider.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { ConsoleToaster } from './console-toaster.tsx'
import { Header } from './header.tsx'
import { LongWork } from './long-work.tsx'
import { Rail } from './rail.tsx'
import classes from './shell.module.css'
import { StoppedBar } from './stopped-bar.tsx'
import { ThumbBar } from './thumb-bar.tsx'
import { TradingBar } from './trading-bar.tsx'
import { usePalette } from './use-palette.tsx'

/** The frame around every screen but home: where you are, what you are connected to, how to get elsewhere. */
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
        <LongWork />
        <ErrorBoundary FallbackComponent={ErrorScreen} resetKeys={[pathname]}>
          <PortsProvider>
            <Suspense fallback={<Loading text="Opening…" />}>
              <Outlet />
            </Suspense>
          </PortsProvider>
        </ErrorBoundary>
      </main>
      <ThumbBar onMore={palette.open} />
      {palette.element}
      <ConsoleToaster />
    </div>
  )
}

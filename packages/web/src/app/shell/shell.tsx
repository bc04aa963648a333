import type { QueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Outlet, useLocation } from 'react-router'
import { DataProvider } from '#app/data-provider.tsx'
import { ErrorScreen } from '#app/error-screen.tsx'
import { LiveStream } from '#app/live-stream.tsx'
import { useOffers } from '#data/capabilities.ts'
import { type FirstLoads, loadFirst } from '#data/first-loads.ts'
import { whenIdle } from '#ui/control/when-idle.ts'
import { discardFailedLoads, LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { AlertNotifier } from './alert-notifier.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { ConsoleToaster } from './console-toaster.tsx'
import { FeatureBar } from './feature-bar.tsx'
import { EngineChoice, Header, type OpenDrawer } from './header.tsx'
import { JobList } from './job-list.tsx'
import { Rail } from './rail.tsx'
import classes from './shell.module.css'
import { StoppedBar } from './stopped-bar.tsx'
import { TradingBar } from './trading-bar.tsx'
import { usePalette } from './use-palette.tsx'

// Loaded on first use.
const JobsDrawer = lazyPart(async () => (await import('./jobs-drawer.tsx')).JobsDrawer)
const EmergencyDrawer = lazyPart(async () => (await import('./emergency-drawer.tsx')).EmergencyDrawer)
const MoreSheet = lazyPart(async () => (await import('./more-sheet.tsx')).MoreSheet)

let loaded: QueryClient | undefined

/** Loads what the screen shows first, for the first rendering. */
export async function prepareShell(start: FirstLoads): Promise<void> {
  loaded = await loadFirst(start)
}

/** Every screen but home: the data layer, and the frame around the screen. */
export function Shell() {
  const [first] = useState(takeLoaded)
  return (
    <DataProvider loaded={first}>
      <Frame />
    </DataProvider>
  )
}

/** A shell that is opened later begins with an empty cache. */
function takeLoaded(): QueryClient | undefined {
  const client = loaded
  loaded = undefined
  return client
}

/** Header, navigation, status bars, drawers, toasts. */
function Frame() {
  const { pathname } = useLocation()
  const palette = usePalette()
  const [drawer, setDrawer] = useState<OpenDrawer>()
  const toggleDrawer = (name: OpenDrawer) => setDrawer((open) => (open === name ? undefined : name))
  const closeDrawer = () => setDrawer(undefined)
  useLoadedEmergency()
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Header openDrawer={drawer} onToggleDrawer={toggleDrawer} onOpenPalette={palette.open} />
      <div className={classes.bars}>
        <EngineChoice place="bar" />
        <TradingBar />
        <StoppedBar />
        <FeatureBar />
      </div>
      <Rail />
      <main id="content" className={classes.main} tabIndex={-1}>
        <JobList />
        <ErrorBoundary FallbackComponent={ErrorScreen} onError={discardFailedLoads} resetKeys={[pathname]}>
          <Suspense fallback={<Loading text="Opening…" />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <LazyBoundary resetKey={drawer} onClose={closeDrawer}>
        {drawer === 'jobs' && <JobsDrawer onClose={closeDrawer} />}
        {drawer === 'emergency' && <EmergencyDrawer onClose={closeDrawer} />}
        {drawer === 'more' && <MoreSheet onClose={closeDrawer} onOpenJobs={() => setDrawer('jobs')} />}
      </LazyBoundary>
      <BottomBar
        isMoreOpen={drawer === 'more'}
        onMore={() => toggleDrawer('more')}
        onNavigate={closeDrawer}
      />
      {palette.element}
      <ConsoleToaster />
      <LiveStream />
      <AlertNotifier />
    </div>
  )
}

/** SHELL-37: loaded before it is needed, since the server that has its code may be gone by then. */
function useLoadedEmergency(): void {
  const isOffered = useOffers('trading-state')
  useEffect(() => {
    if (!isOffered) return undefined
    // A failure shows when the control is opened, which loads it again.
    return whenIdle(() => void EmergencyDrawer.load().catch(() => {}))
  }, [isOffered])
}

import '#ui/look/tokens.css'
import '#ui/look/base.css'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { usePreferences } from '#state/preferences.ts'
import { useTheme } from '#state/theme.ts'
import { blockStrayDoubleClicks } from '#ui/control/double-click.ts'
import { watchStyles } from '#ui/control/load-failures.ts'
import { discardFailedLoads } from '#ui/state/lazy-part.tsx'
import { ErrorScreen } from './error-screen.tsx'

export interface ProvidersProps {
  children: ReactNode
}

/** What every page needs, home included. The data layer comes with the shell. */
export function Providers({ children }: ProvidersProps) {
  const theme = useTheme()
  const { upDown, rail } = usePreferences()
  useEffect(() => blockStrayDoubleClicks(document), [])
  useEffect(() => watchStyles(document), [])
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.mantineColorScheme = theme
    dataset.upDown = upDown
    dataset.rail = rail
  }, [theme, upDown, rail])
  return (
    <ErrorBoundary FallbackComponent={ErrorScreen} onError={discardFailedLoads}>
      {children}
    </ErrorBoundary>
  )
}

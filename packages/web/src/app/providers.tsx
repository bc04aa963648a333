import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '#ui/look/tokens.css'
import '#ui/look/base.css'
import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { usePreferences } from '#state/preferences.ts'
import { useTheme } from '#state/theme.ts'
import { blockStrayDoubleClicks } from '#ui/control/double-click.ts'
import { mantineTheme, resolveVariables } from '#ui/look/mantine-theme.ts'
import { ErrorScreen } from './error-screen.tsx'

export interface ProvidersProps {
  children: ReactNode
}

/** What every page needs, home included. The data layer comes with the shell. */
export function Providers({ children }: ProvidersProps) {
  const theme = useTheme()
  const { upDown } = usePreferences()
  useEffect(() => blockStrayDoubleClicks(document), [])
  useEffect(() => {
    document.documentElement.dataset.upDown = upDown
  }, [upDown])
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={resolveVariables} forceColorScheme={theme}>
      <ErrorBoundary FallbackComponent={ErrorScreen}>{children}</ErrorBoundary>
    </MantineProvider>
  )
}

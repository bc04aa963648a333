import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '#ui/look/tokens.css'
import '#ui/look/base.css'
import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { createQueryClient } from '#data/query-client.ts'
import { useTheme } from '#state/theme.ts'
import { blockStrayDoubleClicks } from '#ui/control/double-click.ts'
import { mantineTheme, resolveVariables } from '#ui/look/mantine-theme.ts'
import { ErrorScreen } from './error-screen.tsx'

export interface ProvidersProps {
  /** For tests. */
  queryClient?: QueryClient
  children: ReactNode
}

export function Providers({ queryClient, children }: ProvidersProps) {
  const theme = useTheme()
  const [client] = useState(() => queryClient ?? createQueryClient())
  useEffect(() => blockStrayDoubleClicks(document), [])
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={resolveVariables} forceColorScheme={theme}>
      <ErrorBoundary FallbackComponent={ErrorScreen}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  )
}

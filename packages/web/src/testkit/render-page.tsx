import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { Providers } from '#app/providers.tsx'
import { ConsoleRoutes } from '#app/router.tsx'
import { createQueryClient } from '#data/query-client.ts'
import { loadDialogFrame } from '#ui/control/dialog.tsx'

// A browser loads them when it is idle.
await Promise.all([loadDialogFrame(), import('#app/shell/emergency-drawer.tsx')])

/** Opens the whole console at a path, over the fetch of the test. */
export function renderConsole(path: string) {
  const queryClient = createQueryClient()
  const view = render(
    <Providers>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[path]}>
          <ConsoleRoutes />
          <Routes>
            <Route path="*" element={<CurrentPath />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </Providers>,
  )
  return { ...view, queryClient, user: userEvent.setup() }
}

/** The current path, for assertions. */
function CurrentPath() {
  return <output data-testid="current-path">{useLocation().pathname}</output>
}

import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { Providers } from '#app/providers.tsx'
import { ConsoleRoutes } from '#app/router.tsx'
import { createQueryClient } from '#data/query-client.ts'

/** Opens the whole console at an address, as a person would, over whatever transport the test has set. */
export function renderConsole(path: string) {
  const queryClient = createQueryClient()
  const view = render(
    <Providers queryClient={queryClient}>
      <MemoryRouter initialEntries={[path]}>
        <ConsoleRoutes />
        <Routes>
          <Route path="*" element={<Whereabouts />} />
        </Routes>
      </MemoryRouter>
    </Providers>,
  )
  return { ...view, queryClient, user: userEvent.setup() }
}

/** Where navigation led, for assertions. */
function Whereabouts() {
  return <output data-testid="whereabouts">{useLocation().pathname}</output>
}

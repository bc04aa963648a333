import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { Toaster } from 'sonner'
import { Providers } from '#app/providers.tsx'
import { createQueryClient } from '#data/query-client.ts'
import { NOTHING_KNOWN, type PortChoices, PortsContext } from '#ports/ports-context.ts'

/** One page over ports of the test's own, where the console would choose them by the capabilities. */
export function renderWithPorts(page: ReactNode, ports: Partial<PortChoices>) {
  render(
    <Providers queryClient={createQueryClient()}>
      <PortsContext value={{ ...NOTHING_KNOWN, ...ports }}>
        <MemoryRouter>{page}</MemoryRouter>
      </PortsContext>
      <Toaster />
    </Providers>,
  )
  return { user: userEvent.setup() }
}

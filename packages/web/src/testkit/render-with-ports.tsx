import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { Toaster } from 'sonner'
import { Providers } from '#app/providers.tsx'
import { createQueryClient } from '#data/query-client.ts'
import { type PortChoices, PortsContext, UNKNOWN_PORTS } from '#ports/ports-context.ts'

/** Renders one page with the given ports, which the console would choose by capabilities. */
export function renderWithPorts(page: ReactNode, ports: Partial<PortChoices>) {
  render(
    <Providers queryClient={createQueryClient()}>
      <PortsContext value={{ ...UNKNOWN_PORTS, ...ports }}>
        <MemoryRouter>{page}</MemoryRouter>
      </PortsContext>
      <Toaster />
    </Providers>,
  )
  return { user: userEvent.setup() }
}

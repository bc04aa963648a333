import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { Toaster } from 'sonner'
import { DataProvider } from '#app/data-provider.tsx'
import { Providers } from '#app/providers.tsx'
import { type PortChoices, UNKNOWN_PORTS } from '#ports/choose-ports.ts'
import { PortsContext } from '#ports/use-port.ts'

/** Renders one page with the given ports, which the console would choose by capabilities. */
export function renderWithPorts(page: ReactNode, ports: Partial<PortChoices>) {
  render(
    <Providers>
      <DataProvider>
        <PortsContext value={{ ...UNKNOWN_PORTS, ...ports }}>
          <MemoryRouter>{page}</MemoryRouter>
        </PortsContext>
        <Toaster />
      </DataProvider>
    </Providers>,
  )
  return { user: userEvent.setup() }
}

import { service } from '@binnacle/contract'
import { render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DataProvider } from '#app/data-provider.tsx'
import { Providers } from '#app/providers.tsx'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { CapabilityPage } from './placeholder-pages.tsx'

const placeholders = [
  ['/trader/market-data', 'Market Data', 'market-data'],
  ['/trader/performance', 'Performance Analytics', 'performance'],
  ['/trader/alerts', 'Alerts & Notifications', 'alerts'],
  ['/trader/backtesting', 'Backtesting', 'backtesting'],
] as const

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
})

describe.each(placeholders)('%s', (path, title, capability) => {
  test('[SOON-1] [CAP-2] against a baseline backend reads coming soon under its title', async () => {
    renderConsole(path)
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(await screen.findByText(/coming soon/)).toBeVisible()
  })

  test('[SOON-2] leads back to the trader panel', async () => {
    // The panel finds nobody who answers it here, and says so in the log.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user } = renderConsole(path)
    await user.click(await screen.findByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/trader$/))
  })

  test('[CAP-3] [CAP-4] does not say coming soon while the backend is unknown', async () => {
    api.fail(service.capabilities, 500)
    renderConsole(path)
    expect(await screen.findByText('Waiting for the server')).toBeVisible()
    expect(screen.queryByText(/coming soon/)).toBeNull()
  })

  test('[SOON-3] is replaced by the live page if the backend offers it', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [capability] })
    renderLive(capability, title)
    expect(await screen.findByText('the live page')).toBeVisible()
    expect(screen.queryByText(/coming soon/)).toBeNull()
  })

  test('[CAP-16] is not offered by a backend that offers something else', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['stream'] })
    renderLive(capability, title)
    expect(await screen.findByText('Not offered by this engine')).toBeVisible()
    expect(screen.queryByText(/coming soon/)).toBeNull()
    expect(screen.queryByText('the live page')).toBeNull()
  })
})

function renderLive(capability: (typeof placeholders)[number][2], title: string) {
  render(
    <Providers>
      <DataProvider>
        <MemoryRouter>
          <CapabilityPage capability={capability} title={title} live={<p>the live page</p>} />
        </MemoryRouter>
      </DataProvider>
    </Providers>,
  )
}

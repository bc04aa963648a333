import { service } from '@binnacle/contract'
import { render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Providers } from '#app/providers.tsx'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { LiveOrSoon } from './live-or-soon.tsx'

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
  it('[SOON-1] [CAP-2] against a baseline backend reads coming soon under its title', async () => {
    renderConsole(path)
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(await screen.findByText(/coming soon/)).toBeVisible()
  })

  it('[SOON-2] leads back to the trader panel', async () => {
    // The panel finds nobody who answers it here, and says so in the log.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user } = renderConsole(path)
    await user.click(await screen.findByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.getByTestId('whereabouts')).toHaveTextContent(/^\/trader$/))
  })

  it('[CAP-3] [CAP-4] says nothing of the kind while the backend is unknown', async () => {
    api.fail(service.capabilities, 500)
    renderConsole(path)
    expect(await screen.findByText('Waiting to learn what this server offers')).toBeVisible()
    expect(screen.queryByText(/coming soon/)).toBeNull()
  })

  it('[SOON-3] gives way to the live page where the backend offers it', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [capability] })
    renderLive(capability, title)
    expect(await screen.findByText('the live page')).toBeVisible()
    expect(screen.queryByText(/coming soon/)).toBeNull()
  })

  it('[CAP-8] stays for a backend that offers something else', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['stream'] })
    renderLive(capability, title)
    expect(await screen.findByText(/coming soon/)).toBeVisible()
    expect(screen.queryByText('the live page')).toBeNull()
  })
})

function renderLive(capability: (typeof placeholders)[number][2], title: string) {
  render(
    <Providers>
      <MemoryRouter>
        <LiveOrSoon capability={capability} title={title} live={<p>the live page</p>} />
      </MemoryRouter>
    </Providers>,
  )
}

import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'

describe('documentation', () => {
  beforeEach(() => {
    createFakeApi()
  })

  async function openTab(name: string) {
    const { user } = renderConsole('/docs')
    await user.click(await screen.findByRole('tab', { name }))
    return screen.findByRole('tabpanel', { name })
  }

  test('[DOCS-1] links back to home and to the admin panel', async () => {
    renderConsole('/docs')
    const page = within(await screen.findByRole('main'))
    expect(await page.findByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
    expect(page.getByRole('link', { name: 'Back to Admin' })).toHaveAttribute('href', '/admin')
  })

  test('[DOCS-15] the address of the console leads to the console that shows it', async () => {
    const panel = await openTab('Getting Started')
    const links = await within(panel).findAllByRole('link', { name: 'http://localhost:8000' })
    for (const link of links) expect(link).toHaveAttribute('href', '/')
  })

  test('[DOCS-2] has five tabs in order and shows the first', async () => {
    renderConsole('/docs')
    const tabs = await screen.findAllByRole('tab')
    expect(tabs.map((tab) => tab.textContent)).toEqual([
      'Getting Started',
      'API Reference',
      'User Guide',
      'Architecture',
      'Deployment',
    ])
    expect(tabs[0]).toHaveAttribute('aria-selected', 'true')
  })

  test('an address with a tab opens that tab', async () => {
    renderConsole('/docs?tab=deployment')
    expect(await screen.findByRole('tab', { name: 'Deployment', selected: true })).toBeVisible()
  })

  test('the contents of a guide link to its headings', async () => {
    const panel = await openTab('User Guide')
    const contents = await within(panel).findByRole('navigation', { name: 'Contents of user-guide.md' })
    const link = within(contents).getByRole('link', { name: 'Adapters' })
    const heading = within(panel).getByRole('heading', { name: 'Adapters' })
    expect(link).toHaveAttribute('href', `#${heading.id}`)
  })

  test('[DOCS-3][DOCS-4][DOCS-5] Getting Started names prerequisites, commands, ports and settings', async () => {
    const panel = await openTab('Getting Started')
    await within(panel).findByRole('heading', { name: 'Prerequisites' })
    for (const words of [
      'Node 18+',
      'Python 3.11+',
      'A package manager',
      'npm start',
      'npm test',
      'npm run dev',
      '8000',
      '8001',
      'VITE_TRADING_API_URL',
      'VITE_ADMIN_API_URL',
    ]) {
      expect(panel).toHaveTextContent(words)
    }
  })

  test('[DOCS-6] the User Guide covers every area', async () => {
    const panel = await openTab('User Guide')
    await within(panel).findByRole('heading', { name: 'Dashboard' })
    const headings = within(panel)
      .getAllByRole('heading')
      .map((heading) => heading.textContent)
    expect(headings).toEqual(
      expect.arrayContaining([
        'Dashboard',
        'Database',
        'Components',
        'Features',
        'Adapters',
        'Monitoring',
        'Settings',
        'Database Management',
      ]),
    )
    for (const words of [
      'optimize',
      'export',
      'clean',
      'restart',
      'disconnect',
      'admin users',
      'API configs',
    ]) {
      expect(panel).toHaveTextContent(words)
    }
  })

  test('[CUST-11] the User Guide describes what a custom strategy can use, with template and example', async () => {
    const panel = await openTab('User Guide')
    await within(panel).findByRole('heading', { name: 'Custom strategies' })
    for (const words of ['desk.target(quantity)', 'warm_up_bars', 'createStrategy', '384 MB', 'Breakout']) {
      expect(panel).toHaveTextContent(words)
    }
  })

  test('[DOCS-10] the User Guide explains order types, statuses, limits, trading states and reasons', async () => {
    const panel = await openTab('User Guide')
    await within(panel).findByRole('heading', { name: 'Orders and risk' })
    for (const words of ['MARKET', 'PENDING', 'Max Daily Loss', 'REDUCING', 'limit.order-size']) {
      expect(panel).toHaveTextContent(words)
    }
    const link = within(panel).getAllByRole('link', { name: 'Orders and risk' })[0]
    expect(link).toHaveAttribute('href', '/docs?tab=user-guide#orders-and-risk')
  })

  test('[DOCS-11] Deployment covers operations, troubleshooting and every variable of the server', async () => {
    const panel = await openTab('Deployment')
    for (const name of [
      'Operations',
      'Disk full',
      'Restore',
      'Upgrade',
      'Logs',
      'Troubleshooting',
      'Configuration',
    ]) {
      expect(await within(panel).findByRole('heading', { name })).toBeVisible()
    }
    expect(panel).toHaveTextContent('BINNACLE_HISTORY_DAYS')
  })

  test('[DOCS-13] API Reference shows an example of a request and its reply', async () => {
    const panel = await openTab('API Reference')
    const row = (await within(panel).findByText('POST /api/nautilus/backtest')).closest('tr')
    if (!row) throw new Error('no row of the call')
    await userEvent.setup().click(within(row).getByText('Example'))
    expect(await within(row).findByText('Request body')).toBeVisible()
    expect(row).toHaveTextContent('"instrument": "BTCUSDT"')
    expect(within(row).getByText('Reply 202')).toBeVisible()
  })

  test('[DOCS-14] API Reference begins with links to its APIs and their groups of calls', async () => {
    const panel = await openTab('API Reference')
    const contents = await within(panel).findByRole('navigation', { name: 'Contents of API Reference' })
    const targets = within(contents)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')?.slice(1) ?? '')
    expect(targets).toEqual(
      expect.arrayContaining(['trading', 'trading-orders', 'admin-settings', 'database']),
    )
    for (const id of targets) expect(panel.querySelector(`[id="${id}"]`)).not.toBeNull()
  })

  test('[DOCS-7] API Reference lists the documented calls of the trading API', async () => {
    const panel = await openTab('API Reference')
    await within(panel).findByRole('heading', { name: /Trading API/ })
    const listed = within(panel)
      .getAllByRole('row')
      .map((row) => row.firstElementChild?.textContent)
    expect(listed).toEqual(
      expect.arrayContaining([
        'GET /api/health',
        'GET /api/nautilus/engine/info',
        'POST /api/nautilus/database/optimize-postgresql',
        'POST /api/nautilus/database/backup-postgresql',
        'POST /api/nautilus/database/export-parquet',
        'POST /api/nautilus/database/clean-parquet',
        'POST /api/nautilus/database/flush-redis',
        'GET /api/nautilus/database/redis-stats',
        'POST /api/nautilus/components/{component_id}/stop',
        'POST /api/nautilus/components/{component_id}/restart',
        'POST /api/nautilus/components/{component_id}/configure',
        'GET /api/nautilus/instruments',
        'GET /api/nautilus/cache/stats',
      ]),
    )
  })

  test('[DOCS-12] API Reference names the addresses that the console uses', async () => {
    const panel = await openTab('API Reference')
    for (const title of ['Trading API', 'Admin database API', 'Database management']) {
      expect(
        await within(panel).findByRole('heading', { name: `${title}, ${window.location.origin}` }),
      ).toBeVisible()
    }
  })

  test('[DOCS-8] API Reference lists the documented calls of the admin database API', async () => {
    const panel = await openTab('API Reference')
    await within(panel).findByRole('heading', { name: /Admin database API/ })
    const listed = within(panel)
      .getAllByRole('row')
      .map((row) => row.firstElementChild?.textContent)
    expect(listed).toEqual(
      expect.arrayContaining([
        'GET /api/admin/health',
        'GET /api/admin/settings',
        'POST /api/admin/settings',
        'GET /api/admin/settings/{setting_key}',
        'PUT /api/admin/settings/{setting_key}',
        'DELETE /api/admin/settings/{setting_key}',
        'GET /api/admin/users',
        'POST /api/admin/users',
        'GET /api/admin/api-configs',
        'POST /api/admin/api-configs',
        'GET /api/admin/tasks',
        'POST /api/admin/tasks',
        'GET /api/admin/audit-logs',
      ]),
    )
  })

  test.each(['Architecture', 'Deployment'])('[DOCS-9] %s shows text and makes no call', async (tab) => {
    const panel = await openTab(tab)
    expect((await within(panel).findAllByRole('heading')).length).toBeGreaterThan(1)
    expect(within(panel).queryByRole('button')).not.toBeInTheDocument()
  })
})

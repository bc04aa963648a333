import { engine, orders, risk, service, systemSettings, tradingState } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { anEngine } from '#testkit/trading.ts'

const EVERY_SCREEN = [
  ['Trader Panel', '/trader'],
  ['Strategies', '/trader/strategies'],
  ['Orders', '/trader/orders'],
  ['Positions', '/trader/positions'],
  ['Risk Management', '/trader/risk'],
  ['Market Data', '/trader/market-data'],
  ['Performance', '/trader/performance'],
  ['Alerts', '/trader/alerts'],
  ['Backtesting', '/trader/backtesting'],
  ['Admin Panel', '/admin'],
  ['Database', '/admin/database'],
  ['Components', '/admin/components'],
  ['Features', '/admin/features'],
  ['Adapters', '/admin/adapters'],
  ['Monitoring', '/admin/monitoring'],
  ['Settings', '/admin/settings'],
  ['Admin Database', '/admin/database-management'],
  ['API Configuration', '/admin/api-config'],
  ['Database Management', '/admin/db-management'],
  ['Documentation', '/docs'],
  ['Home', '/'],
] as const

const SOME_METRICS = {
  total_exposure: 0,
  margin_used: 0,
  margin_available: 100_000,
  max_drawdown: 0,
  position_count: 0,
}

const SOME_ACCOUNT = {
  equity: 100_000,
  cash: 100_000,
  starting_capital: 100_000,
  realized_pnl: 0,
  unrealized_pnl: 0,
  fees: 0,
  funding: 0,
}

describe('the shell', () => {
  let api: FakeApi
  beforeEach(() => {
    api = createFakeApi()
    api.on(service.health, { status: 'ok' })
  })

  test.each([
    ['embedded', 1],
    ['nautilus', 0],
  ])('[SHELL-25] with the live engine %s the badge Simulated venues shows %d times', async (type, count) => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(engine.info, anEngine({ engine_type: type }))
    renderConsole('/docs')
    await waitFor(() => expect(api.calls(engine.info)).toHaveLength(1))
    await screen.findByText('Online')
    await waitFor(() => expect(screen.queryAllByText('Simulated venues')).toHaveLength(count))
  })

  test('[SHELL-35] the header names engine, trader and trading state of a live engine', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state'] })
    api.on(engine.info, anEngine({ trader_id: 'TRADER-001', is_running: true }))
    api.on(tradingState.get, { state: 'REDUCING', reason: 'Set manually.', since: '2026-11-16T03:00:00Z' })
    renderConsole('/docs')
    const header = within(await screen.findByRole('banner'))
    expect(await header.findByText('Live')).toBeVisible()
    expect(header.getByText('TRADER-001')).toBeVisible()
    expect(await header.findByText('REDUCING')).toBeVisible()
  })

  test('[SHELL-53] engine and trading state are grey while the server does not answer', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state'] })
    api.on(engine.info, anEngine({ is_running: true }))
    api.on(tradingState.get, { state: 'ACTIVE', reason: null, since: null })
    const { queryClient } = renderConsole('/docs')
    const header = within(await screen.findByRole('banner'))
    const live = await header.findByText('Live')
    const state = await header.findByText('ACTIVE')
    await waitFor(() => expect([live.dataset.tone, state.dataset.tone]).toEqual(['good', 'good']))
    api.drop(service.health)
    await act(() => queryClient.refetchQueries({ queryKey: ['service'] }))
    await waitFor(() => expect([live.dataset.tone, state.dataset.tone]).toEqual(['calm', 'calm']))
  })

  test('[SET-23] the header has the name of the system and its environment', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['settings'] })
    api.on(systemSettings.identity, { system_name: 'Desk 7', environment: 'Staging' })
    renderConsole('/docs')
    const header = within(await screen.findByRole('banner'))
    expect(await header.findByRole('link', { name: 'Desk 7' })).toBeVisible()
    expect(await header.findByText('Staging')).toBeVisible()
  })

  test('[SET-46] the tags of environment and venues say what each means', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['settings'] })
    api.on(systemSettings.identity, { system_name: 'Binnacle', environment: 'Production' })
    api.on(engine.info, anEngine({ engine_type: 'embedded' }))
    renderConsole('/docs')
    const header = within(await screen.findByRole('banner'))
    expect(
      await header.findByTitle(/^Environment: a label .* not say whether the venues are real/),
    ).toHaveTextContent('Production')
    expect(await header.findByTitle(/^No order reaches a real exchange/)).toHaveTextContent(
      'Simulated venues',
    )
  })

  test('[SET-23] without settings the header has the name of the product and no environment', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    renderConsole('/docs')
    const header = within(await screen.findByRole('banner'))
    expect(await header.findByRole('link', { name: 'Binnacle' })).toBeVisible()
    await screen.findByText('Online')
    expect(header.queryByText('Production')).not.toBeInTheDocument()
    expect(api.calls(systemSettings.identity)).toEqual([])
  })

  test('[SHELL-115] [SHELL-37] the header has its buttons before what they show is loaded', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['trading-state', 'alerts', 'jobs'] })
    renderConsole('/docs')
    const header = within(await screen.findByRole('banner'))
    expect(await header.findByRole('button', { name: 'Emergency' })).toBeVisible()
    expect(header.getByRole('link', { name: 'Alerts' })).toBeVisible()
    expect(header.getByRole('button', { name: 'Jobs' })).toBeVisible()
  })

  test('[SHELL-35] [SHELL-60] in the baseline header and rail request nothing but the health', async () => {
    renderConsole('/docs')
    await screen.findByText('Online')
    expect(api.calls(engine.info)).toEqual([])
    expect(api.calls(risk.metrics)).toEqual([])
    expect(screen.queryByRole('button', { name: 'Emergency' })).not.toBeInTheDocument()
    const rail = within(screen.getByRole('navigation', { name: 'Screens' }))
    expect(rail.getByRole('link', { name: 'Orders' })).not.toHaveAttribute('title')
  })

  test.each([
    [12.5, '▲+$12.50'],
    [-3, '▼-$3.00'],
    [0.001, '$0.00'],
  ])('[SHELL-36] a result of the day of %d is shown as %s', async (dayPnl, shown) => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(engine.info, anEngine())
    api.on(risk.metrics, { ...SOME_METRICS, account: { ...SOME_ACCOUNT, day_pnl: dayPnl } })
    renderConsole('/docs')
    const label = await screen.findByText('P&L today')
    expect(label.nextElementSibling).toHaveTextContent(shown)
  })

  test('[SHELL-60] the rail counts what runs, works and is open, by the poll of the engine', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(
      engine.info,
      anEngine({ counts: { running_strategies: 4, working_orders: 1_284, open_positions: 0 } }),
    )
    renderConsole('/docs')
    const rail = within(await screen.findByRole('navigation', { name: 'Screens' }))
    expect(await rail.findByText('1,284')).toBeVisible()
    expect(rail.getByRole('link', { name: 'Orders' })).toHaveAccessibleDescription('1,284 working')
    expect(rail.getByRole('link', { name: 'Strategies' })).toHaveAccessibleDescription('4 running')
    expect(rail.getByRole('link', { name: 'Positions' })).not.toHaveAttribute('title')
    expect(api.calls(orders.list)).toEqual([])
  })

  test('[SHELL-39] [SHELL-173] the rail narrows to its icons, keeps its names, and a reload keeps the choice', async () => {
    const { user } = renderConsole('/trader/alerts')
    await user.click(await screen.findByRole('button', { name: 'Narrow the navigation' }))
    const rail = within(screen.getByRole('navigation', { name: 'Screens' }))
    expect(rail.getByRole('link', { name: 'Orders' })).toHaveAttribute('title', 'Orders')
    expect(document.documentElement).toHaveAttribute('data-rail', 'narrow')
    const stored = () => JSON.parse(localStorage.getItem('binnacle.preferences') ?? '')
    expect(stored()).toHaveProperty('rail', 'narrow')
    await user.click(screen.getByRole('button', { name: 'Widen the navigation' }))
    expect(document.documentElement).toHaveAttribute('data-rail', 'wide')
    expect(stored()).not.toHaveProperty('rail')
  })

  test('[SHELL-1][SHELL-2] says whether the server answers, on a screen that shows no errors', async () => {
    const { queryClient } = renderConsole('/trader/alerts')
    const connection = await screen.findByRole('status', { name: 'Connection' })
    await waitFor(() => expect(connection).toHaveTextContent('Online'))
    api.drop(service.health)
    await act(() => queryClient.refetchQueries({ queryKey: ['service'] }))
    await waitFor(() => expect(connection).toHaveTextContent('Connection lost'))
  })

  test('[SHELL-7] says from when the figures are once a poll fails, and keeps them', async () => {
    api.on(orders.list, {
      orders: [
        {
          id: 'O-1',
          instrument: 'BTCUSDT',
          side: 'BUY',
          type: 'LIMIT',
          quantity: 1,
          price: 2,
          filled_qty: 0,
          status: 'PENDING',
        },
      ],
    })
    const { queryClient } = renderConsole('/trader/orders')
    expect(await screen.findByText('O-1')).toBeInTheDocument()
    api.drop(orders.list)
    await act(() => queryClient.refetchQueries({ queryKey: ['orders'] }))
    const connection = screen.getByRole('status', { name: 'Connection' })
    await waitFor(() => expect(connection).toHaveTextContent(/as of \d\d:\d\d:\d\d UTC/))
    expect(screen.getByText('O-1')).toBeInTheDocument()
  })

  test('[SHELL-3] the rail reaches every screen of both areas', async () => {
    renderConsole('/trader/alerts')
    const rail = within(await screen.findByRole('navigation', { name: 'Screens' }))
    for (const [name, path] of EVERY_SCREEN) {
      expect(rail.getByRole('link', { name })).toHaveAttribute('href', path)
    }
  })

  test('[SHELL-4] the phone’s bar leads to five screens, and its More to every one', async () => {
    const { user } = renderConsole('/trader/alerts')
    const bar = within(await screen.findByRole('navigation', { name: 'Main screens' }))
    expect(bar.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/trader',
      '/trader/market-data',
      '/trader/orders',
      '/trader/positions',
      '/trader/strategies',
    ])
    await user.click(bar.getByRole('button', { name: 'More' }))
    const sheet = within(await screen.findByRole('complementary', { name: 'All screens' }))
    for (const [name, path] of EVERY_SCREEN) {
      expect(sheet.getByRole('link', { name })).toHaveAttribute('href', path)
    }
    await user.click(sheet.getByRole('link', { name: 'Documentation' }))
    expect(await screen.findByTestId('current-path')).toHaveTextContent('/docs')
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument()
  })

  test('[SHELL-102] a screen chosen in the phone’s bar is not covered by More', async () => {
    const { user } = renderConsole('/docs')
    const bar = within(await screen.findByRole('navigation', { name: 'Main screens' }))
    await user.click(bar.getByRole('button', { name: 'More' }))
    await screen.findByRole('complementary', { name: 'All screens' })
    await user.click(bar.getByRole('link', { name: 'Orders' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/orders'))
    expect(screen.queryByRole('complementary', { name: 'All screens' })).toBeNull()
  })

  test('[SHELL-5] Ctrl-K opens a palette that goes where one types', async () => {
    const { user } = renderConsole('/trader/alerts')
    await screen.findByRole('heading', { name: 'Alerts & Notifications' })
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'admin mon{Enter}')
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/admin/monitoring'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('[SHELL-5] arrows choose in the palette and Esc leaves everything as it was', async () => {
    const { user } = renderConsole('/trader/alerts')
    await screen.findByRole('heading', { name: 'Alerts & Notifications' })
    await user.keyboard('{Meta>}k{/Meta}')
    await user.type(await screen.findByRole('combobox'), 'trader')
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Strategies')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/alerts')
  })

  test('[SHELL-401] the option that the arrows choose in the palette is scrolled into view', async () => {
    const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
    const { user } = renderConsole('/trader/alerts')
    await screen.findByRole('heading', { name: 'Alerts & Notifications' })
    await user.keyboard('{Control>}k{/Control}')
    await screen.findByRole('combobox')
    await user.keyboard('{ArrowUp}')
    expect(scroll.mock.contexts.at(-1)).toBe(screen.getByRole('option', { selected: true }))
  })

  test('[SHELL-6] a question mark lists the shortcuts', async () => {
    const { user } = renderConsole('/trader/alerts')
    await screen.findByRole('heading', { name: 'Alerts & Notifications' })
    await user.keyboard('?')
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeInTheDocument()
  })
})

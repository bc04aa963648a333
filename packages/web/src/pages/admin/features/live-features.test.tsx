import { engine, features, platformServices, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { anEngine } from '#testkit/trading.ts'

let api: FakeApi
let isLiveOn: boolean

beforeEach(() => {
  api = createFakeApi()
  isLiveOn = true
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['features', 'services'] })
  api.on(features.list, () => ({
    features: [
      { id: 'live-trading', name: 'Live Trading', enabled: isLiveOn },
      {
        id: 'paper-trading',
        name: 'Paper Trading',
        enabled: false,
        blocked: 'The account cannot be changed while 1 order is working and 2 positions are open.',
      },
    ],
  }))
  api.on(platformServices.list, () => ({
    services: [
      { id: 'market-data', name: 'Market Data Service', status: 'running' },
      { id: 'risk', name: 'Risk Service', status: 'stopped' },
    ],
  }))
  api.on(features.set, () => {
    isLiveOn = false
    return { id: 'live-trading', name: 'Live Trading', enabled: false }
  })
})
afterEach(clearToasts)

const row = (name: string) => {
  const entry = within(screen.getByRole('main')).getByText(name).closest('li')
  if (!entry) throw new Error(`${name} is in no row`)
  return within(entry)
}

async function open() {
  const { user } = renderConsole('/admin/features')
  await screen.findByText('Live Trading')
  await screen.findByText('Risk Service')
  return user
}

describe('live flags', () => {
  test('[FEAT-11] [CAP-7] say what they mean as they are, and are not marked as simulated', async () => {
    await open()
    expect(row('Live Trading').getByText('New orders are sent to the venues.')).toBeVisible()
    expect(row('Market Data Service').getByText('Sends quotes to the screens and charts.')).toBeVisible()
    expect(
      row('Risk Service').getByText('VaR is not computed, and the use of limits is not recorded.'),
    ).toBeVisible()
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
  })

  test('[FEAT-10] are switched after a confirmation that states the effect; Cancel switches nothing', async () => {
    const user = await open()
    await user.click(row('Live Trading').getByRole('button', { name: 'Disable' }))
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent('Disable Live Trading?')
    expect(question).toHaveTextContent(
      'New orders to every venue are refused, unless Paper Trading is on. Working orders stay; cancels and orders that reduce a position pass.',
    )
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(api.calls(features.set)).toEqual([])
    await user.click(row('Live Trading').getByRole('button', { name: 'Disable' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disable' }))
    expect(await row('Live Trading').findByText('off')).toBeVisible()
    expect(api.calls(features.set)[0]).toMatchObject({
      path: '/api/features/live-trading',
      body: { enabled: false },
    })
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Live Trading disabled']))
  })

  test('[FEAT-10] a switch that would be refused now says so before', async () => {
    const user = await open()
    await user.click(row('Paper Trading').getByRole('button', { name: 'Enable' }))
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'Now refused: The account cannot be changed while 1 order is working and 2 positions are open.',
    )
  })

  test('[FEAT-13] Enable All reports what became of each', async () => {
    api.on(features.setAll, {
      results: [
        { id: 'risk-management', name: 'Risk Management', enabled: true, changed: false },
        { id: 'advanced-analytics', name: 'Advanced Analytics', enabled: true, changed: true },
        { id: 'paper-trading', name: 'Paper Trading', enabled: false, changed: false, refused: 'In use.' },
      ],
    })
    const user = await open()
    await user.click(screen.getByRole('button', { name: 'Enable All' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Enable' }))
    const report = await screen.findByRole('alert')
    expect(
      within(report)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Risk Management: was on', 'Advanced Analytics: enabled', 'Paper Trading: still off. In use.'])
    expect(toastsOfType('warning')).toEqual(['One feature flag was not switched'])
    expect(toastsOfType('success')).toEqual([])
  })
})

describe('live services', () => {
  test('[FEAT-10] Stop states its effect first, Start does not ask', async () => {
    api.on(platformServices.stop, { id: 'market-data', name: 'Market Data Service', status: 'stopped' })
    api.on(platformServices.start, { id: 'risk', name: 'Risk Service', status: 'running' })
    const user = await open()
    await user.click(row('Risk Service').getByRole('button', { name: 'Start' }))
    await waitFor(() => expect(api.calls(platformServices.start)).toHaveLength(1))
    await user.click(row('Market Data Service').getByRole('button', { name: 'Stop' }))
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent('The engine and its strategies go on.')
    await user.click(within(question).getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(api.calls(platformServices.stop)).toHaveLength(1))
    expect(api.calls(platformServices.stop)[0]?.path).toBe('/api/services/market-data/stop')
  })

  test('[SHELL-103] Start of a running service and Stop of a stopped one are disabled', async () => {
    await open()
    const isOffered = (name: string) =>
      ['Start', 'Stop', 'Restart', 'Config'].filter(
        (action) => !row(name).getByRole<HTMLButtonElement>('button', { name: action }).disabled,
      )
    expect(isOffered('Market Data Service')).toEqual(['Stop', 'Restart', 'Config'])
    expect(isOffered('Risk Service')).toEqual(['Start', 'Restart', 'Config'])
  })

  test('Config says that there are no settings and calls nothing', async () => {
    const user = await open()
    await user.click(row('Risk Service').getByRole('button', { name: 'Config' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('Configuration of Risk Service')
    expect(dialog).toHaveTextContent('This service has no settings.')
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })
})

describe('what flags and services change on other screens', () => {
  const report = (given: Parameters<typeof anEngine>[0]) => api.on(engine.info, anEngine(given))

  test('[FEAT-24] each is named with its effect and a link to Features', async () => {
    report({
      features: {
        'live-trading': false,
        'paper-trading': false,
        'multi-exchange': false,
        backtesting: false,
      },
      services: {
        'market-data': 'stopped',
        'order-execution': 'stopped',
        risk: 'stopped',
        analytics: 'running',
      },
    })
    renderConsole('/trader/alerts')
    const bar = await screen.findByRole('region', { name: 'Features' })
    expect(
      within(bar)
        .getAllByRole('paragraph')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Live Trading is off. Only orders that reduce a position are accepted.',
      'Multi-Exchange is off. Orders that add exposure are accepted only at Binance.',
      'Market Data Service is stopped. Prices and charts on the screens are stale; the engine goes on.',
      'Order Execution Service is stopped. New manual orders are refused; cancels, closes and emergency work.',
    ])
    expect(within(bar).getByRole('link', { name: 'Go to Features' })).toHaveAttribute(
      'href',
      '/admin/features',
    )
  })

  test('[FEAT-20] [FEAT-24] the paper account is named in the header, and Live Trading does not matter', async () => {
    report({ account: 'paper', features: { 'live-trading': false, 'paper-trading': true }, services: {} })
    renderConsole('/trader/alerts')
    const bar = await screen.findByRole('region', { name: 'Features' })
    expect(bar).toHaveTextContent('Paper Trading is on. Orders trade for the paper account.')
    expect(bar).not.toHaveTextContent('Live Trading')
    expect(screen.getByText('Paper account')).toBeVisible()
  })

  test('[FEAT-24] nothing is said while all is usual', async () => {
    report({
      account: 'live',
      features: { 'live-trading': true, 'paper-trading': false },
      services: { 'market-data': 'running', risk: 'stopped' },
    })
    renderConsole('/trader/alerts')
    expect(await screen.findByText('Live')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Features' })).toBeNull()
  })
})

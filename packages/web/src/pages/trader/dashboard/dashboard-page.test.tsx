import { engine, risk } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock, gapsInHalfSeconds, recordCallTimes } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { holdReply, problemReply } from '#testkit/replies.ts'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { aComponent, anEngine, riskMetrics } from '#testkit/trading.ts'

const components = [
  aComponent(),
  aComponent({ id: 'execution', name: 'ExecutionEngine', status: 'active' }),
  aComponent({ id: 'risk', name: 'RiskEngine', status: 'paused' }),
  aComponent({ id: 'portfolio', name: 'Portfolio', type: 'Component', status: 'stopped' }),
  aComponent({ id: 'cache', name: 'Cache', type: 'Component', status: 'error' }),
  aComponent({ id: 'bus', name: 'MessageBus', type: 'Component', status: 'warming' }),
]

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(engine.info, anEngine())
  api.on(engine.systemInfo, { components })
  api.on(risk.metrics, riskMetrics({ total_exposure: 18_250.4 }))
})

afterEach(clearToasts)

async function openDashboard() {
  const view = renderConsole('/trader')
  await screen.findByRole('region', { name: 'Engine Status' })
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull())
  return view
}

function figuresOf(name: string): [string, string][] {
  const region = within(screen.getByRole('region', { name }))
  return region
    .getAllByRole('term')
    .map((term) => [term.textContent ?? '', term.nextElementSibling?.textContent ?? ''])
}

describe('trader dashboard', () => {
  test('[TRD-1] has the title Trader Panel', async () => {
    await openDashboard()
    expect(screen.getByRole('heading', { level: 1, name: 'Trader Panel' })).toBeVisible()
  })

  test.each([
    [true, 'Live', 'good', 'Stopped'],
    [false, 'Stopped', 'bad', 'Live'],
  ])('[TRD-2] an engine with is_running %s reads %s', async (is_running, word, tone, other) => {
    api.on(engine.info, anEngine({ is_running, status: 'running' }))
    await openDashboard()
    const card = within(screen.getByRole('region', { name: 'Engine Status' }))
    expect(card.getByText(word)).toHaveAttribute('data-tone', tone)
    expect(card.queryByText(other)).toBeNull()
  })

  test('[TRD-3] [TRD-4] the engine card shows its figures', async () => {
    await openDashboard()
    expect(figuresOf('Engine Status')).toEqual([
      ['Trader ID', 'TRADER-001'],
      ['Engine Type', 'nautilus'],
      ['Status', 'running'],
      ['Strategies', '4'],
      ['Components Online', '2 of 6'],
      ['Open Positions', '3'],
      ['Total Exposure', '$18,250.40'],
    ])
  })

  test('[TRD-3] the engine of our own server is named in words', async () => {
    api.on(engine.info, anEngine({ engine_type: 'embedded' }))
    await openDashboard()
    const figures = figuresOf('Engine Status')
    expect(figures).toContainEqual(['Engine Type', 'Simulator (built in)'])
    expect(figures).toContainEqual(['Status', 'Running'])
  })

  test('[TRD-5] nine cards link on, Backtest to a path without a screen', async () => {
    const { user } = await openDashboard()
    const main = within(screen.getByRole('main'))
    expect(main.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/trader/strategies',
      '/trader/orders',
      '/trader/positions',
      '/trader/risk',
      '/trader/market-data',
      '/trader/performance',
      '/trader/alerts',
      '/trader/backtest',
      '/docs',
    ])
    await user.click(main.getByRole('link', { name: /^Backtest/ }))
    expect(await screen.findByText('Page Not Found')).toBeVisible()
  })

  test('[TRD-6] each component has its name, type and status beside a dot of its colour', async () => {
    await openDashboard()
    const grid = within(screen.getByRole('region', { name: 'System Components' }))
    const seen = grid.getAllByRole('listitem').map((item) => {
      const dot = item.querySelector('[data-tone]')
      return [item.textContent, dot?.getAttribute('data-tone')]
    })
    expect(seen).toEqual([
      ['DataEngineEngine · running', 'good'],
      ['ExecutionEngineEngine · active', 'good'],
      ['RiskEngineEngine · paused', 'warn'],
      ['PortfolioComponent · stopped', 'bad'],
      ['CacheComponent · error', 'bad'],
      ['MessageBusComponent · warming', 'calm'],
    ])
  })

  test.each([
    ['without components', () => api.on(engine.systemInfo, {})],
    ['with none', () => api.on(engine.systemInfo, { components: [] })],
  ])('[TRD-7] an engine %s leaves the rest of the page standing', async (_, arrange) => {
    arrange()
    await openDashboard()
    expect(screen.getByText('The engine reports no components.')).toBeVisible()
    expect(screen.getByText('TRADER-001')).toBeVisible()
    expect(figuresOf('Risk Metrics')).toHaveLength(6)
  })

  test('[TRD-7] a slow system-info does not keep the engine and the risk waiting', async () => {
    const release = holdReply(api, engine.systemInfo, { components })
    renderConsole('/trader')
    expect(await screen.findByText('TRADER-001')).toBeVisible()
    expect(screen.getByText('Loading components...')).toBeVisible()
    expect(figuresOf('Engine Status')).toContainEqual(['Components Online', '—'])
    release()
    expect(await screen.findByText('DataEngine')).toBeVisible()
  })

  test('[TRD-8] the Risk Metrics panel shows six figures', async () => {
    await openDashboard()
    expect(figuresOf('Risk Metrics')).toEqual([
      ['Total Exposure', '$18,250.40'],
      ['Margin Used', '$100.00'],
      ['Available Margin', '$900.00'],
      ['Max Drawdown', '2.31%'],
      ['1-day VaR', '$604.90'],
      ['Position Count', '3'],
    ])
  })

  test('[TRD-9] all three are polled every 5000 ms', async () => {
    fakeRunningClock()
    const requested = [
      recordCallTimes(api, engine.info, anEngine()),
      recordCallTimes(api, engine.systemInfo, { components }),
      recordCallTimes(api, risk.metrics, riskMetrics()),
    ]
    await openDashboard()
    for (let poll = 0; poll < 2; poll += 1) await advanceTime(5000)
    for (const times of requested) {
      await waitFor(() => expect(times).toHaveLength(3))
      expect(gapsInHalfSeconds(times)).toEqual([10, 10])
    }
  })

  test('[TRD-10] failed loads are only logged, loading ends, and figures are dashes', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const load of [engine.info, engine.systemInfo, risk.metrics]) api.fail(load, 502, 'Bad Gateway')
    await openDashboard()
    const logged = log.mock.calls.map(([error]) => String(error))
    expect(logged).toEqual(Array.from({ length: 3 }, () => 'ApiError: API Error: 502 Bad Gateway'))
    expect(toastsOfType('error')).toEqual([])
    expect(screen.queryByText(/^(Live|Stopped)$/)).toBeNull()
    const figures = [...figuresOf('Engine Status'), ...figuresOf('Risk Metrics')]
    expect(new Set(figures.map(([, value]) => value))).toEqual(new Set(['—']))
    expect(screen.queryByText('The engine reports no components.')).toBeNull()
    expect(within(screen.getByRole('main')).getAllByRole('link')).toHaveLength(9)
  })

  test('[CLIENT-12] a problem is shown, once for all three', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const load of [engine.info, engine.systemInfo, risk.metrics]) {
      api.answer(load, () => problemReply(503, 'The server is shutting down.'))
    }
    await openDashboard()
    expect(screen.getAllByText('The server is shutting down.')).toHaveLength(1)
  })
})

import { backtests, engine, orders, positions, risk, samples, service, strategies } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setPreference } from '#state/preferences.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { freezeDate } from '#testkit/time.ts'
import { aComponent, anEngine, anOrder, aPosition, aStrategy, riskMetrics } from '#testkit/trading.ts'

const DAY = Date.parse('2026-11-16T00:00:00Z') / 1000

const account = {
  equity: 101_000,
  cash: 50_000,
  starting_capital: 100_000,
  day_pnl: -1000,
  realized_pnl: 400,
  unrealized_pnl: 250.5,
  fees: 30,
  funding: 0,
}

let api: FakeApi

beforeEach(() => {
  freezeDate('2026-11-16T12:00:00Z')
  api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['samples'] })
  api.on(engine.info, anEngine())
  api.on(engine.systemInfo, { components: [aComponent()] })
  api.on(risk.metrics, riskMetrics({ total_exposure: 32_500, position_count: 9, account }))
  api.on(risk.limits, {
    max_order_size: 10_000,
    max_position_size: 50_000,
    max_daily_loss: 5000,
    max_positions: 10,
  })
  api.on(positions.list, {
    positions: [
      ...[1, 2, 3, 4, 5].map((n) =>
        aPosition({
          id: `P-${n}`,
          instrument: `SMALL-${n}`,
          quantity: n,
          current_price: 10,
          unrealized_pnl: 1,
        }),
      ),
      aPosition({
        id: 'P-9',
        instrument: 'LARGE',
        side: 'SHORT',
        quantity: 2,
        current_price: 500,
        unrealized_pnl: -7.25,
      }),
    ],
  })
  api.on(orders.list, {
    orders: [anOrder({ id: 'O-2', filled_qty: 0.125 }), anOrder({ id: 'O-1', status: 'FILLED' })],
  })
  api.on(strategies.list, {
    strategies: [
      aStrategy({ performance: { total_pnl: 80 } }),
      aStrategy({ id: 'S-2', name: 'Night tide', status: 'stopped' }),
    ],
  })
  api.on(samples.read, {
    from: new Date(DAY * 1000).toISOString(),
    to: new Date((DAY + 86_400) * 1000).toISOString(),
    step_s: 300,
    gap_s: 300,
    series: [
      { name: 'pnl.realized', points: [], before: { at: DAY - 60, value: 300 } },
      { name: 'fees', points: [], before: { at: DAY - 60, value: 10 } },
      { name: 'strategy.S-1.pnl', points: [[DAY, 50, 50, 50]], before: { at: DAY - 60, value: 45 } },
    ],
    marks: [],
  })
})

afterEach(() => {
  vi.useRealTimers()
})

async function openPanel() {
  renderConsole('/trader')
  await screen.findByRole('region', { name: 'P&L today' })
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull())
}

const region = (name: string) => within(screen.getByRole('region', { name }))

function figuresOf(name: string): [string, string][] {
  return region(name)
    .getAllByRole('term')
    .map((term) => [term.textContent ?? '', term.nextElementSibling?.textContent ?? ''])
}

describe('first steps', () => {
  beforeEach(() => {
    api.on(engine.info, anEngine({ engine_type: 'embedded' }))
    // Tests of other screens may have opened the market.
    setPreference('hasSeenMarket', false)
  })
  afterEach(() => setPreference('firstSteps', 'shown'))

  test('[TRD-22] [TRD-60] lead to the screens, tick what was done, and stay hidden once they are', async () => {
    const { user } = renderConsole('/trader')
    const steps = within(await screen.findByRole('region', { name: 'First steps' }))
    await waitFor(() => expect(steps.getAllByRole('img', { name: 'Done:' })).toHaveLength(2))
    act(() => setPreference('hasSeenMarket', true))
    expect(steps.getAllByRole('img', { name: 'Done:' })).toHaveLength(3)
    expect(steps.getByRole('link', { name: 'Test an idea' })).toHaveAttribute('href', '/trader/backtesting')
    await user.click(steps.getByRole('button', { name: 'Hide' }))
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
    expect(JSON.parse(localStorage.getItem('binnacle.preferences') ?? '{}').firstSteps).toBe('hidden')
  })

  test('[TRD-22] tick the backtest once the server has one', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['samples', 'backtesting'] })
    const run = {
      id: 1,
      status: 'queued',
      progress: 0,
      created_at: '2026-11-16T10:00:00.000Z',
      request: {
        strategy: { type: 'momentum', config: {} },
        from: '2026-11-15T00:00:00.000Z',
        to: '2026-11-16T00:00:00.000Z',
      },
    }
    api.on(backtests.list, { backtests: [run] })
    renderConsole('/trader')
    const steps = within(await screen.findByRole('region', { name: 'First steps' }))
    const step = steps.getByRole('link', { name: 'Test an idea' }).closest('li') ?? document.body
    expect(await within(step).findByRole('img', { name: 'Done:' })).toBeVisible()
  })

  test('[TRD-22] are not shown over venues that are not simulated', async () => {
    api.on(engine.info, anEngine({ engine_type: 'nautilus' }))
    await openPanel()
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
  })
})

describe('trader panel of a live backend', () => {
  test('[RISK-86] while Risk Service is stopped a link leads to where it is started', async () => {
    api.on(engine.info, anEngine({ services: { risk: 'stopped' } }))
    await openPanel()
    const figures = within(await screen.findByRole('region', { name: 'Risk Metrics' }))
    expect(await figures.findByText(/Risk Service is stopped\./)).toBeVisible()
    expect(figures.getByRole('link', { name: 'Start it' })).toHaveAttribute('href', '/admin/features')
  })

  test('[TRD-12] shows the result of today with its parts, each as a change since 00:00', async () => {
    await openPanel()
    expect(await region('P&L today').findByText('-$1,000.00')).toBeVisible()
    expect(region('P&L today').getByText('-0.98%')).toBeVisible()
    await waitFor(() =>
      expect(figuresOf('P&L today')).toEqual([
        ['Equity', '$101,000.00'],
        ['Realized today', '+$100.00'],
        ['Unrealized since entry', '+$250.50'],
        ['Fees today', '-$20.00'],
      ]),
    )
  })

  test('[TRD-13] shows the use of each limit, and the six specified figures', async () => {
    await openPanel()
    await waitFor(() =>
      expect(figuresOf('Risk Metrics')).toEqual([
        ['Total Exposure', '$32,500.00'],
        ['Margin Used', '$100.00'],
        ['Available Margin', '$900.00'],
        ['Max Drawdown', '2.31%'],
        ['1-day VaR', '$604.90'],
        ['Position Count', '9'],
        ['Daily Loss', '$1,000.00'],
      ]),
    )
    const meters = await waitFor(() => {
      const found = region('Risk Metrics').getAllByRole('meter')
      expect(found).toHaveLength(4)
      return found
    })
    expect(
      meters.map((meter) => [meter.getAttribute('aria-valuenow'), meter.getAttribute('data-tone')]),
    ).toEqual([
      ['65', 'warn'],
      ['10', 'good'],
      ['90', 'bad'],
      ['20', 'good'],
    ])
    expect(region('Risk Metrics').getByText('65.0% of $50,000')).toBeVisible()
  })

  test('[TRD-14] shows the five largest positions and the sum of all', async () => {
    await openPanel()
    const table = await screen.findByRole('table', { name: 'Positions' })
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => row.textContent)
    expect(rows.slice(1)).toEqual([
      'LARGESHORT$1,000.00-$7.25',
      'SMALL-5LONG$50.00+$1.00',
      'SMALL-4LONG$40.00+$1.00',
      'SMALL-3LONG$30.00+$1.00',
      'SMALL-2LONG$20.00+$1.00',
      '5 long, 1 short$1,150.00-$2.25',
    ])
  })

  test('[TRD-15] shows working orders only, with how far they are filled', async () => {
    await openPanel()
    const table = await screen.findByRole('table', { name: 'Working orders' })
    const rows = within(table).getAllByRole('row')
    expect(rows.slice(1).map((row) => row.textContent)).toEqual(['BTCUSDTBUYLIMIT0.2567,204.1050%'])
  })

  test('[TRD-16] shows running strategies with the change of today, and the names of the others', async () => {
    await openPanel()
    const strip = within(await screen.findByRole('region', { name: 'Strategies' }))
    expect(await strip.findByText('+$35.00')).toBeVisible()
    expect(strip.getByText('1 stopped')).toBeVisible()
    expect(strip.getByText('Night tide')).toBeVisible()
  })

  test('[TRD-17] the links of the panel say what they lead to', async () => {
    await openPanel()
    const link = (name: RegExp) => within(screen.getByRole('main')).findByRole('link', { name })
    expect(await link(/^Strategies1 of 2 running/)).toBeVisible()
    expect(await link(/^Orders1 working/)).toBeVisible()
    expect(await link(/^Positions6 open/)).toBeVisible()
    expect(await link(/^Risk Management65.0% of maximum/)).toBeVisible()
  })
})

test('[TRD-11] in the baseline the panel makes only its three calls', async () => {
  api.fail(service.capabilities, 404, 'Not Found')
  renderConsole('/trader')
  await screen.findByText('TRADER-001')
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull())
  expect(screen.queryByRole('region', { name: 'P&L today' })).toBeNull()
  const called = new Set(api.everyCall().map(({ path }) => path))
  for (const path of ['/api/positions', '/api/orders', '/api/strategies', '/api/samples', '/api/risk/limits'])
    expect(called).not.toContain(path)
})

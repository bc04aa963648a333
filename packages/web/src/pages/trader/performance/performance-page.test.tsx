import {
  backtests,
  engine,
  instruments,
  type PerformanceReport,
  type PerformanceRisk,
  performance,
  type ReplyInputOf,
  service,
  strategies,
} from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { streamQueries } from '#data/stream/stream-queries.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { anEngine } from '#testkit/trading.ts'

const PATH = '/trader/performance'

const FIGURES: PerformanceReport['figures'] = {
  total_return: 0.2159,
  cagr: 1.2,
  volatility: 0.31,
  sharpe: 1.84,
  sortino: 2.71,
  calmar: 4.5,
  max_drawdown: 0.0231,
  max_drawdown_seconds: 7200,
  days: 4,
  trades: 2,
  win_rate: 0.5,
  payoff: 1.12,
  profit_factor: 1.3,
  expectancy: 0.78,
}

const day = (start: string, change: number, isAfterGap = false) => ({
  start,
  pnl: change * 100_000,
  return: change,
  after_gap: isAfterGap,
})

function aReport(part: Partial<PerformanceReport> = {}): ReplyInputOf<typeof performance.report> {
  return {
    period: '3M',
    from: '2026-05-07T00:00:00.000Z',
    to: '2026-05-13T12:00:00.000Z',
    as_of: '2026-05-13T12:00:00.000Z',
    step_s: 14_400,
    start_equity: 20_000,
    end_equity: 24_318.42,
    pnl: 4_318.42,
    figures: FIGURES,
    curve: [
      [1_778_112_000, 20_000, 0],
      [1_778_673_600, 24_318.42, 0.0231],
    ],
    gaps: [{ from: '2026-05-08T00:00:00.000Z', to: '2026-05-08T08:00:00.000Z' }],
    returns: {
      day: [day('2026-05-07', 0.002), day('2026-05-09', -0.015, true), day('2026-05-12', 0.017)],
      week: [day('2026-05-04', -0.013), day('2026-05-11', 0.017)],
      month: [day('2026-05-01', 0.2159)],
    },
    rolling: [{ day: '2026-05-12', sharpe: null, win_rate: null }],
    strategies: [
      {
        strategy: 'S-1',
        name: 'Trend BTC',
        pnl: 2_184.6,
        sharpe: 1.92,
        trades: 1,
        win_rate: 1,
        points: [[1, 5]],
      },
      { strategy: 'MANUAL', pnl: -318.52, sharpe: null, trades: 1, win_rate: 0, points: [[1, -5]] },
    ],
    instruments: [{ instrument: 'BTCUSDT-PERP', pnl: 2_238.62, trades: 1, fees: 3, funding: -1 }],
    costs: {
      gross: 6_184.31,
      fees: 1_205,
      slippage: 412,
      measured_fills: 8,
      fills: 10,
      funding: -248.89,
      net: 4_318.42,
    },
    hold: null,
    run: null,
    ...part,
  }
}

const RISK: PerformanceRisk = {
  days: 12,
  seed: 1,
  losses: ['historical', 'parametric', 'monte_carlo'].map((method) => ({
    method,
    value_at_risk: null,
    expected_shortfall: null,
    days: 0,
    beyond: 0,
    kupiec_ratio: null,
    plausible: null,
  })),
  correlation: { strategies: [], days: 0, rows: [] },
  scenarios: [{ name: 'BTC −10 %', pnl: -1_142.8 }],
  open_positions: 1,
}

const TRADE = {
  id: 'P-7',
  instrument: 'SOLUSDT-PERP',
  side: 'LONG',
  strategy: 'S-1',
  strategy_name: 'Trend BTC',
  realized_pnl: 1.5,
  fees: 0.38,
  funding: 0,
  result: 1.12,
  opened_at: '2026-05-12T14:00:00.000Z',
  closed_at: '2026-05-12T14:02:00.000Z',
  journal_seq: 70,
}

let api: FakeApi

afterEach(clearToasts)

beforeEach(() => {
  api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['performance', 'strategy-types'] })
  api.on(performance.report, aReport())
  api.on(performance.risk, RISK)
  api.on(performance.trades, { trades: [TRADE] })
  api.on(strategies.list, { strategies: [] })
  api.on(strategies.deleted, { strategies: [] })
  api.on(instruments.list, { instruments: [{ id: 'BTCUSDT' }] })
  api.on(backtests.list, { backtests: [] })
  api.on(engine.info, anEngine())
})

const lastQuery = () => new URLSearchParams(api.calls(performance.report).at(-1)?.query)

test('[STREAM-450] the report is polled, so it is Delayed while the stream is live', async () => {
  const { queryClient } = renderConsole(PATH)
  await screen.findByRole('heading', { name: 'Performance Analytics' })
  act(() => {
    queryClient.setQueryData(streamQueries.state().queryKey, { kind: 'live' })
  })
  expect(await screen.findByRole('status', { name: 'Freshness' })).toHaveTextContent(/^Delayed · as of /)
})

test('[PERF-31] the chart of equity says since when it is, also beside the instrument that it is compared with', async () => {
  renderConsole(`${PATH}?hold=BTCUSDT`)
  expect(
    await screen.findByText('since 2026-05-07 00:00:00 UTC; No bars of BTCUSDT are recorded in this period.'),
  ).toBeVisible()
})

test('[PERF-19] the screen shows figures, curve, costs, strategies, instruments and trades of the period', async () => {
  renderConsole(PATH)
  expect(await screen.findByText('▲ +21.59%')).toBeVisible()
  const figures = screen.getByLabelText('Key figures')
  for (const text of ['P&L net of fees', '+$4,318.42', '1.84', '2.71', '2.31%', '50.0%', '1.12', '+$0.78'])
    expect(within(figures).getByText(text)).toBeVisible()
  const costs = within(screen.getByRole('region', { name: 'From gross to net' }))
  for (const text of ['+$6,184.31', '-$1,205.00', '-$412.00', '-$248.89', '+$4,318.42'])
    expect(costs.getByText(text)).toBeVisible()
  expect(costs.getByText(/known for 8 of 10 fills/)).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'By instrument' })).getByText('+$2,238.62')).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'By strategy' })).getByText('-$318.52')).toBeVisible()
  expect(within(await screen.findByRole('region', { name: 'Trades' })).getByText('+$1.12')).toBeVisible()
  expect(screen.getByText('1 gap without a record')).toBeVisible()
})

test('[SHELL-118] the export buttons have their places before the report is loaded', async () => {
  const reply = Promise.withResolvers<Response>()
  api.answer(performance.report, () => reply.promise)
  renderConsole(PATH)
  const names = ['Days CSV', 'Trades CSV', 'JSON']
  const buttons = await Promise.all(names.map((name) => screen.findByRole('button', { name })))
  for (const button of buttons) expect(button).toBeDisabled()
  reply.resolve(Response.json(aReport()))
  for (const button of buttons) await waitFor(() => expect(button).toBeEnabled())
})

test('[PERF-330] an export is loaded once however often it is pressed, and its failure is shown', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { user } = renderConsole(PATH)
  await screen.findByText('▲ +21.59%')
  const button = screen.getByRole('button', { name: 'Trades CSV' })
  await waitFor(() => expect(button).toBeEnabled())
  await within(await screen.findByRole('region', { name: 'Trades' })).findByText('+$1.12')
  const exported = () => api.calls(performance.trades).filter(({ query }) => query.includes('limit=1000'))
  const reply = Promise.withResolvers<Response>()
  api.answer(performance.trades, () => reply.promise)
  await user.click(button)
  await waitFor(() => expect(button).toBeDisabled())
  await user.click(button)
  expect(exported()).toHaveLength(1)
  reply.reject(new TypeError('Failed to fetch'))
  const failed = 'The trades could not be loaded, so nothing was exported.'
  await waitFor(() => expect(toastsOfType('error')).toEqual([failed]))
  expect(button).toBeEnabled()
})

test('[PERF-20] period, strategy and comparison are in the address and in the request', async () => {
  const { user } = renderConsole(`${PATH}?period=1W&hold=BTCUSDT`)
  await screen.findByText('▲ +21.59%')
  expect(Object.fromEntries(lastQuery())).toEqual({ period: '1W', hold: 'BTCUSDT' })
  await user.click(screen.getByRole('radio', { name: 'YTD' }))
  await waitFor(() => expect(lastQuery().get('period')).toBe('YTD'))
  await user.click(await screen.findByRole('button', { name: 'Trend BTC' }))
  await waitFor(() => expect(lastQuery().get('strategy')).toBe('S-1'))
})

test('[PERF-19] manual orders are called Manual, as on Orders, and are asked for by their id', async () => {
  api.on(performance.trades, { trades: [{ ...TRADE, strategy: 'MANUAL', strategy_name: undefined }] })
  const { user } = renderConsole(PATH)
  const trades = within(await screen.findByRole('region', { name: 'Trades' }))
  expect(await trades.findByText('Manual')).toBeVisible()
  const byStrategy = within(await screen.findByRole('region', { name: 'By strategy' }))
  expect(await byStrategy.findByRole('button', { name: /Manual/ })).toBeVisible()
  await user.selectOptions(screen.getByLabelText('Strategy'), 'Manual')
  await waitFor(() => expect(lastQuery().get('strategy')).toBe('MANUAL'))
})

test('[PERF-21] a figure that is not defined is shown as — with the reason', async () => {
  const none = { ...FIGURES, sharpe: null, sortino: null, days: 1, trades: 0, win_rate: null, payoff: null }
  api.on(performance.report, aReport({ figures: { ...none, expectancy: null } }))
  renderConsole(PATH)
  const figures = within(await screen.findByLabelText('Key figures'))
  expect(figures.getAllByText('—')).toHaveLength(5)
  expect(figures.getAllByText('Needs 2 days with a return; 1 is recorded.')).toHaveLength(2)
  expect(figures.getAllByText('No trade was closed in this period.')).toHaveLength(3)
  expect(screen.getAllByText('Needs 30 days of record.')).toHaveLength(2)
})

test('[PERF-22] returns are a calendar of days, with gaps marked, or cells of weeks and months', async () => {
  const { user } = renderConsole(PATH)
  const table = await screen.findByRole('table', { name: 'Returns by Day' })
  expect(
    within(table).getByTitle('2026-05-09: -1.50%, -$1,500.00, with days without a record'),
  ).toHaveTextContent('-1.5')
  expect(within(table).getAllByText('no record')).toHaveLength(3)
  await user.click(screen.getByRole('radio', { name: 'Month' }))
  expect(within(screen.getByRole('list', { name: 'Returns by Month' })).getByText('May 2026')).toBeVisible()
  await user.click(screen.getByRole('radio', { name: 'Week' }))
  expect(within(screen.getByRole('list', { name: 'Returns by Week' })).getAllByRole('listitem')).toHaveLength(
    2,
  )
})

test('[PERF-23] each trade leads to its instrument on the chart at its time, and older ones are loaded', async () => {
  api.on(performance.trades, ({ query }) =>
    query.includes('cursor=5')
      ? { trades: [{ ...TRADE, id: 'P-6', instrument: 'ETHUSDT' }] }
      : { trades: [TRADE], next_cursor: 5 },
  )
  const { user } = renderConsole(PATH)
  const link = await screen.findByRole('link', { name: 'SOLUSDT-PERP' })
  expect(link).toHaveAttribute(
    'href',
    '/trader/market-data?instrument=SOLUSDT-PERP&interval=1m&at=2026-05-12T14%3A02%3A00.000Z',
  )
  await user.click(screen.getByRole('button', { name: 'Show older trades' }))
  expect(await screen.findByRole('link', { name: 'ETHUSDT' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Show older trades' })).toBeNull()
})

test('[PERF-400] only the latest trades are polled, and new ones join the loaded ones', async () => {
  fakeRunningClock()
  let latest = [TRADE]
  api.on(performance.trades, ({ query }) =>
    query.includes('cursor=5')
      ? { trades: [{ ...TRADE, id: 'P-6', instrument: 'ETHUSDT' }] }
      : { trades: latest, next_cursor: 5 },
  )
  const { user } = renderConsole(PATH)
  await screen.findByRole('link', { name: 'SOLUSDT-PERP' })
  await user.click(screen.getByRole('button', { name: 'Show older trades' }))
  await screen.findByRole('link', { name: 'ETHUSDT' })
  latest = [{ ...TRADE, id: 'P-8', instrument: 'BTCUSDT' }, TRADE]
  await advanceTime(15_000)
  const trades = within(screen.getByRole('region', { name: 'Trades' }))
  expect(await trades.findByRole('link', { name: 'BTCUSDT' })).toBeVisible()
  expect(trades.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'BTCUSDT',
    'SOLUSDT-PERP',
    'ETHUSDT',
  ])
  expect(api.calls(performance.trades).filter(({ query }) => query.includes('cursor'))).toHaveLength(1)
})

test('[PERF-24] the deeper part shows losses, correlation and scenarios, and says what is missing', async () => {
  renderConsole(PATH)
  const losses = within(await screen.findByRole('region', { name: '1-day VaR, 95%' }))
  expect(losses.getAllByText('not tested yet')).toHaveLength(3)
  expect(losses.getByText('Needs 30 daily returns; 12 are recorded.')).toBeVisible()
  expect(screen.getByText('Needs two strategies with results.')).toBeVisible()
  expect(
    within(screen.getByRole('region', { name: 'Stress scenarios' })).getByText('-$1,142.80'),
  ).toBeVisible()
})

test('[PERF-28] while Advanced Analytics is off the deeper part is not requested, and the screen says so', async () => {
  api.on(engine.info, anEngine({ features: { 'advanced-analytics': false } }))
  renderConsole(PATH)
  const hidden = within(await screen.findByRole('region', { name: 'Deeper analytics' }))
  expect(hidden.getByText(/are hidden while Advanced Analytics is off/)).toBeVisible()
  expect(hidden.getByRole('link', { name: 'Features' })).toHaveAttribute('href', '/admin/features')
  expect(screen.queryByRole('region', { name: '1-day VaR, 95%' })).toBeNull()
  expect(api.calls(performance.risk)).toHaveLength(0)
})

test('[PERF-24] estimates are shown with the verdict of their test, correlations by name', async () => {
  api.on(performance.risk, {
    ...RISK,
    days: 120,
    losses: [
      {
        method: 'historical',
        value_at_risk: 604.9,
        expected_shortfall: 812.37,
        days: 90,
        beyond: 3,
        kupiec_ratio: 0.6,
        plausible: true,
      },
      {
        method: 'parametric',
        value_at_risk: 571.22,
        expected_shortfall: 716.48,
        days: 90,
        beyond: 12,
        kupiec_ratio: 9,
        plausible: false,
      },
    ],
    correlation: {
      strategies: [{ strategy: 'S-1', name: 'Trend' }, { strategy: 'MANUAL' }],
      days: 20,
      rows: [
        [1, -0.06],
        [-0.06, 1],
      ],
    },
    open_positions: 0,
  })
  renderConsole(PATH)
  const losses = within(await screen.findByRole('region', { name: '1-day VaR, 95%' }))
  expect(losses.getByText('3 of 90 beyond, plausible')).toBeVisible()
  expect(losses.getByText('12 of 90 beyond, rejected')).toBeVisible()
  expect(losses.getByText('$812.37')).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'Correlation' })).getAllByText('-0.06')).toHaveLength(2)
  expect(screen.getByText('No position is open, so no scenario changes anything.')).toBeVisible()
})

test('[PERF-25] a chosen run is shown beside the live figures', async () => {
  api.on(
    performance.report,
    aReport({
      run: {
        backtest: 7,
        from: '2026-05-08T00:00:00.000Z',
        to: '2026-05-10T00:00:00.000Z',
        live: FIGURES,
        run: { ...FIGURES, total_return: -0.01, sharpe: null },
        points: [[1_778_198_400, 20_100]],
      },
    }),
  )
  renderConsole(`${PATH}?run=7`)
  const panel = await screen.findByRole('region', { name: 'Live and BT-7' })
  expect(within(panel).getByRole('row', { name: 'Return +21.59% -1.00%' })).toBeVisible()
  expect(within(panel).getByRole('row', { name: 'Sharpe 1.84 —' })).toBeVisible()
  expect(lastQuery().get('backtest')).toBe('7')
})

test('[PERF-25] a run without a time in common says so', async () => {
  renderConsole(`${PATH}?run=7`)
  expect(await screen.findByText('The run and this period have no time in common.')).toBeVisible()
})

test('[PERF-7] a period without a record says so', async () => {
  api.on(performance.report, aReport({ curve: [] }))
  renderConsole(PATH)
  expect(await screen.findByText('Nothing is recorded in this period')).toBeVisible()
})

test('[PERF-19] a failed load says what the server answered', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  api.fail(performance.report)
  renderConsole(PATH)
  expect(await screen.findByText('The performance could not be loaded.')).toBeVisible()
})

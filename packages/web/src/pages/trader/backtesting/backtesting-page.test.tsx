import {
  type Backtest,
  backtests,
  backtestWorkers,
  dataSets,
  instruments,
  service,
  strategies,
  strategyModules,
  strategyTypes,
  sweeps,
} from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { CurveView } from '#ui/chart/curve-view.ts'
import { aResult, aRun, aSweep, REQUEST } from './testkit.ts'

let api: FakeApi
let runs: Backtest[]

beforeEach(() => {
  api = createFakeApi()
  runs = [aRun(2, { rerun_of: 1 }), aRun(1)]
  api.on(service.capabilities, {
    version: 'v1.0.0',
    capabilities: ['backtesting', 'sweeps', 'strategy-types', 'problems', 'market-data'],
  })
  api.on(instruments.list, { instruments: [{ id: 'BTCUSDT' }] })
  api.on(strategyTypes.list, {
    strategy_types: [
      {
        type: 'momentum',
        title: 'Momentum',
        about: 'Follows a trend.',
        earns_when: '',
        loses_when: '',
        parameters: [
          {
            name: 'instrument',
            label: 'Instrument',
            kind: 'instrument',
            sentence: 'Traded',
            default: 'BTCUSDT',
          },
          { name: 'interval', kind: 'interval', sentence: 'Bars', default: '5m' },
          { name: 'fast_bars', label: 'Fast bars', kind: 'integer', sentence: 'Fast', default: 20 },
        ],
      },
    ],
  })
  api.on(backtests.recorded, {
    recorded: [{ instrument: 'BTCUSDT', from: '2026-01-01T00:00:00.000Z', to: '2026-02-03T00:00:00.000Z' }],
  })
  api.on(backtests.list, () => ({ backtests: runs }))
  api.answer(backtests.get, ({ path }) => {
    const run = runs.find(({ id }) => path.endsWith(`/${id}`))
    return run ? Response.json(run) : new Response('', { status: 404 })
  })
})

afterEach(clearToasts)

async function openLab(address = '') {
  const view = renderConsole(`/trader/backtesting${address}`)
  await screen.findByRole('form', { name: 'New run' })
  return view
}

const form = () => within(screen.getByRole('form', { name: 'New run' }))
const result = (name: RegExp) => screen.findByRole('region', { name })

describe('backtesting', () => {
  test('[BT-17] [BT-18] a run is queued from the form, shows its progress and is cancelled', async () => {
    api.answer(backtests.start, () => {
      const running = { status: 'running', progress: 0.5, result: null, finished_at: null }
      runs = [aRun(3, running), ...runs]
      return Response.json(runs[0], { status: 202 })
    })
    api.answer(backtests.cancel, () => {
      runs = runs.map((run) => (run.id === 3 ? { ...run, status: 'cancelled' } : run))
      return Response.json(runs[0])
    })
    const { user } = await openLab()
    expect(form().getByText('Recorded: 2026-01-01 00:00 to 2026-02-03 00:00')).toBeVisible()
    await user.click(form().getByRole('button', { name: 'Run' }))
    expect(await result(/^BT-3 momentum BTCUSDT 5m/)).toHaveTextContent('50% done')
    expect(api.calls(backtests.start)[0]?.body).toMatchObject({
      strategy: { type: 'momentum', config: { fast_bars: 20 } },
      instrument: 'BTCUSDT',
      from: '2026-01-04T00:00:00.000Z',
      to: '2026-02-03T00:00:00.000Z',
    })
    const queue = within(screen.getByRole('region', { name: /^Queue/ }))
    expect(await queue.findByRole('progressbar', { name: 'Progress of BT-3' })).toHaveValue(50)
    expect(queue.getByText('1 running, 0 waiting')).toBeVisible()
    await user.click(queue.getByRole('button', { name: 'Cancel BT-3' }))
    expect(await screen.findByText('The run was cancelled')).toBeVisible()
    expect(await queue.findByText('No run is queued.')).toBeVisible()
  })

  test('[BT-17] [BT-142] a refused value has its message at the field, and so has a missing one', async () => {
    api.answer(backtests.start, () =>
      Response.json(
        {
          type: 'about:blank',
          title: 'Bad request',
          status: 422,
          code: 'request.invalid',
          detail: 'two',
          errors: [
            { field: 'body.from', message: 'There are no bars.' },
            { field: 'body.strategy.config.fast_bars', message: 'From 2 to 500.' },
            { field: 'body.slippage_bps', message: 'must be at least 0' },
          ],
        },
        { status: 422, headers: { 'content-type': 'application/problem+json' } },
      ),
    )
    const { user } = await openLab()
    await user.clear(form().getByLabelText('Capital'))
    await user.click(form().getByRole('button', { name: 'Run' }))
    expect(form().getByLabelText('Capital')).toHaveAccessibleDescription('Type a number.')
    expect(api.calls(backtests.start)).toHaveLength(0)
    await user.type(form().getByLabelText('Capital'), '500')
    await user.click(form().getByRole('button', { name: 'Run' }))
    await waitFor(() =>
      expect(form().getByLabelText('From (UTC)')).toHaveAccessibleDescription('There are no bars.'),
    )
    expect(form().getByLabelText('Fast bars')).toHaveAccessibleDescription('From 2 to 500.')
    expect(form().getByLabelText('Slippage (bps)')).toHaveAccessibleDescription(
      'Slippage (bps) must be at least 0.',
    )
  })

  test('[BT-29] a data set is chosen with its period', async () => {
    const bars = { bars: 50, from: '2024-01-01T00:00:00.000Z', to: '2024-01-01T00:59:00.000Z', gaps: 0 }
    api.on(dataSets.list, {
      upload_limit_bytes: 1,
      data_sets: [
        {
          name: 'old',
          interval: '1m',
          created_at: '',
          updated_at: '',
          instruments: [{ instrument: 'BTCUSDT', ...bars }],
        },
      ],
    })
    const { user } = await openLab()
    await user.selectOptions(await form().findByLabelText('Bars of'), 'data set old')
    expect(
      form().getByText('Recorded: 2024-01-01 00:00 to 2024-01-01 01:00. 10 min in between have no bars.'),
    ).toBeVisible()
    expect(form().getByLabelText('To (UTC)')).toHaveValue('2024-01-01 01:00')
  })

  test('[BT-19] [BT-20] [BT-26] [BT-102] a result has figures, months, trades and both hashes', async () => {
    await openLab('?run=2')
    const head = await result(/^BT-2 /)
    expect(head).toHaveTextContent('done in 0.71 s')
    expect(head).toHaveTextContent('data 9c41e7aaresult 5be07a11re-run of BT-1, result 5be07a11same hash')
    expect(head).toHaveTextContent('Return+5.00%Net P&L+$500.00Sharpe1.86Sortino—Max Drawdown4.09%')
    const months = screen.getByRole('table', { name: 'Monthly returns' })
    expect(months).toHaveTextContent('2026+2.00+2.94··········+5.00%')
    expect(screen.getByRole('region', { name: 'Statistics and costs' })).toHaveTextContent(
      'P&L before costs+$535.00Fees$30.00Funding-$5.00Turnover12.50 ×',
    )
    const trades = within(await screen.findByRole('table', { name: 'Trades' }))
    const titles = trades.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(titles.slice(0, 3)).toEqual(['Instrument', 'Side', 'P&L'])
    expect(trades.getAllByRole('link')[0]).toHaveAttribute(
      'href',
      '/trader/market-data?instrument=BTCUSDT&interval=5m',
    )
    expect(screen.getByText('1 won')).toBeVisible()
  })

  test('[BT-76] a result over a period with gaps says what is missing', async () => {
    const request = { ...REQUEST, interval: '1m' as const, to: '2026-01-06T00:00:00.000Z' }
    runs = [aRun(1, { request, result: { ...aResult('77'), bars: 419 } })]
    await openLab('?run=1')
    expect(await screen.findByText('419 of 1,440 bars; 17 h 1 min of the period are missing.')).toBeVisible()
  })

  test('[BT-26] a re-run with another hash says so', async () => {
    runs = [aRun(2, { rerun_of: 1, result: aResult('77') }), aRun(1)]
    await openLab('?run=2')
    expect(await screen.findByText('another hash')).toBeVisible()
  })

  test('[BT-19] a run that failed says why, and is not promoted', async () => {
    runs = [aRun(1, { status: 'failed', result: null, error: 'Bar 7: out of range' })]
    await openLab('?run=1')
    expect(await screen.findByText('Bar 7: out of range')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Promote' })).toBeNull()
  })

  test('[BT-23] [BT-24] runs are searched, ticked and compared', async () => {
    const { user } = await openLab()
    const list = within(await screen.findByRole('list', { name: 'Runs' }))
    await user.type(screen.getByRole('searchbox', { name: 'Search runs' }), 'momentum bt-1')
    expect(list.getAllByRole('listitem')).toHaveLength(1)
    await user.click(list.getByRole('checkbox', { name: 'Compare BT-1' }))
    const compared = await screen.findByRole('table', { name: 'Compare' })
    expect(compared).toHaveTextContent('BT-1+5.00%1.864.09%50.0%2$30.00')
    await user.click(screen.getByRole('button', { name: 'Remove BT-1' }))
    await waitFor(() => expect(screen.queryByRole('table', { name: 'Compare' })).toBeNull())
  })

  test('[BT-400] typing does not draw the comparison again', async () => {
    const context = new Proxy({}, { get: () => () => ({ width: 0, addColorStop: () => {} }) })
    // As far as the library draws before it is laid out.
    vi.spyOn(window.HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
    const draw = vi.spyOn(CurveView.prototype, 'draw').mockReturnValue()
    const { user } = await openLab('?compare=1,2')
    await waitFor(() => expect(draw.mock.lastCall?.[0].curves).toHaveLength(2))
    const before = draw.mock.calls.length
    await user.type(form().getByRole('textbox', { name: 'Capital' }), '99')
    expect(draw).toHaveBeenCalledTimes(before)
  })

  test('[BT-32] tags and a note are saved and searched, and a run is archived', async () => {
    api.answer(backtests.label, ({ body }) => {
      runs = runs.map((run) => (run.id === 1 ? { ...run, ...backtests.label.body.parse(body) } : run))
      return Response.json(runs[1])
    })
    api.answer(backtests.list, ({ query }) => {
      const isArchived = query.includes('archived=true')
      return Response.json({ backtests: runs.filter(({ archived = false }) => archived === isArchived) })
    })
    const { user } = await openLab('?run=1')
    await user.click(await screen.findByRole('button', { name: 'Note' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Tags and note of BT-1' }))
    await user.type(dialog.getByLabelText('Tags'), 'fast, good, fast')
    await user.type(dialog.getByLabelText('Note'), 'Best so far')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await result(/^BT-1 /)).toHaveTextContent('fastgoodBest so far')
    await user.type(screen.getByRole('searchbox', { name: 'Search runs' }), 'best good')
    const list = () => within(screen.getByRole('list', { name: 'Runs' }))
    await waitFor(() => expect(list().getAllByRole('listitem')).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: 'Archive' }))
    expect(await screen.findByText('No run matches.')).toBeVisible()
    await user.click(screen.getByRole('checkbox', { name: 'Archived' }))
    await waitFor(() => expect(list().getByText('BT-1')).toBeVisible())
    expect(screen.getByRole('button', { name: 'Restore' })).toBeVisible()
  })

  test('[BT-37] [BT-38] [BT-41] [BT-43] [BT-53] [BT-101] a sweep is started, shown with its heat map, and a set is used', async () => {
    const found = aSweep()
    api.on(sweeps.list, { sweeps: [found] })
    api.on(sweeps.get, found)
    api.on(sweeps.start, found)
    const { user } = await openLab()
    await user.click(form().getByText('Sweep'))
    await user.click(form().getByRole('button', { name: 'Run sweep' }))
    expect(form().getByText('Type values for at least one parameter.')).toBeVisible()
    await user.type(form().getByLabelText('Values of Fast bars'), '10, 20')
    await user.click(form().getByRole('button', { name: 'Run sweep, 2 runs' }))
    const head = await result(/^SW-4 momentum/)
    expect(head).toHaveTextContent('Best Sharpe2.00Best setfast_bars 20, slow_bars 50')
    expect(head).toHaveTextContent('The probability that this one is above it is 62.00%')
    expect(api.calls(sweeps.start)[0]?.body).toMatchObject({
      parameters: { fast_bars: { values: [10, 20] } },
    })
    const table = screen.getByRole('table', { name: 'slow_bars down, fast_bars across' })
    expect(table.parentElement).toHaveAttribute('tabindex', '0')
    const map = within(table)
    await user.click(map.getByRole('button', { name: '1.00 at 100, 10: use this set' }))
    expect(form().getByLabelText('Fast bars')).toHaveValue('10')
    const sets = screen.getByRole('table', { name: 'Sets' })
    expect(sets).toHaveTextContent('fast_bars must be below slow_bars')
    const [first] = within(sets).getAllByRole('cell')
    expect(first).toContainElement(
      within(sets).getByRole('button', { name: 'Use fast_bars 20, slow_bars 50' }),
    )
  })

  test('[BT-148] [BT-149] [BT-150] a sweep says which sets had orders denied, and offers no refused one', async () => {
    const found = aSweep()
    const counts = [{ orders: 12, denied_orders: 0 }, {}, { orders: 37, denied_orders: 24 }]
    const results = found.results.map((one) => ({ ...one, ...counts[one.set] }))
    api.on(sweeps.get, { ...found, results })
    await openLab('?sweep=4')
    const head = await result(/^SW-4 momentum/)
    expect(head).toHaveTextContent('24 of 37 orders were denied by the risk checks.')
    const rows = within(screen.getByRole('table', { name: 'Sets' }))
      .getAllByRole('row')
      .slice(1)
    // Set 1 was run by an older version, set 3 was refused.
    const last = rows.map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)
    expect(last).toEqual(['24 of 37 orders', '—', '0', 'fast_bars must be below slow_bars'])
    expect(rows.map((row) => within(row).queryAllByRole('button').length)).toEqual([1, 1, 1, 0])
  })

  test('[BT-143] a sweep that was interrupted is run again', async () => {
    const error = 'The server stopped before this sweep ended. Run it again.'
    const left = aSweep({ status: 'interrupted', error })
    const again = aSweep({ id: 5 })
    api.on(sweeps.list, { sweeps: [left] })
    api.answer(sweeps.get, ({ path }) => Response.json(path.endsWith('/5') ? again : left))
    api.on(sweeps.start, again)
    const { user } = await openLab('?sweep=4')
    expect(await screen.findByText(error)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Run again' }))
    await result(/^SW-5 momentum/)
    expect(api.calls(sweeps.start).map(({ body }) => body)).toEqual([left.request])
    expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull()
  })

  test('[BT-40] a walk-forward sweep shows each window', async () => {
    const segments = [
      { window: 0, part: 'in', from: '2026-01-01T00:00:00.000Z', to: '2026-01-04T00:00:00.000Z' },
      { window: 0, part: 'out', from: '2026-01-04T00:00:00.000Z', to: '2026-01-05T00:00:00.000Z' },
    ]
    const walk_forward = [{ window: 0, set: 1, in_sample: 1.5, out_of_sample: -0.25 }]
    api.on(sweeps.get, aSweep({ segments, walk_forward, best: null, deflated_sharpe: null }))
    await openLab('?sweep=4')
    const table = await screen.findByRole('table', { name: 'Walk-forward' })
    expect(table).toHaveTextContent('12026-01-04 – 2026-01-05fast_bars 10, slow_bars 1001.50-0.25')
  })

  test('[BT-52] the workers on other machines are shown with load, rate and version', async () => {
    const worker = { host: 'box-1', version: '1.0.0+3', threads: 4, busy: 1, done: 12, runs_per_minute: 6 }
    const started_at = '2026-01-01T00:00:00.000Z'
    const other = 'Its result 0 differs from 1 of the server.'
    api.on(backtestWorkers.list, {
      queue: 'connected',
      waiting: 3,
      workers: [
        { ...worker, name: 'one', started_at, lost_s: null, excluded: null },
        { ...worker, name: 'two', started_at, lost_s: null, excluded: other },
      ],
    })
    await openLab()
    const panel = within(await screen.findByRole('region', { name: /^Workers/ }))
    const [one, two] = panel.getAllByRole('listitem')
    expect(one).toHaveTextContent('oneworking1 of 4 threads, 6 runs/min, 12 donebox-1, version 1.0.0+3')
    expect(panel.getByRole('meter', { name: 'Load of one' })).toHaveAttribute('aria-valuenow', '25')
    expect(two).toHaveTextContent(`excluded`)
    expect(two).toHaveTextContent(other)
  })

  test('[BT-100] a worker that ended without notice is shown as lost, and runs without another one wait', async () => {
    const worker = { host: 'box-1', version: '1.0.0+3', threads: 4, busy: 1, done: 12, runs_per_minute: 6 }
    const lost = {
      ...worker,
      name: 'one',
      started_at: '2026-01-01T00:00:00.000Z',
      lost_s: 75,
      excluded: null,
    }
    api.on(backtestWorkers.list, { queue: 'connected', waiting: 3, workers: [lost] })
    await openLab()
    const panel = within(await screen.findByRole('region', { name: /^Workers/ }))
    expect(panel.getByRole('listitem')).toHaveTextContent(
      'onelost1 of 4 threads at its last report, 12 donebox-1, version 1.0.0+3No report for 1 min 15 s. Its runs go to other workers.',
    )
    expect(panel.queryByRole('meter')).toBeNull()
    expect(panel.getByText('Runs wait for a worker.')).toBeVisible()
  })

  test('[BT-52] runs that wait for a worker or for Redis say so, and without a queue nothing is shown', async () => {
    api.on(backtestWorkers.list, { queue: 'connected', waiting: 1, workers: [] })
    const { unmount } = await openLab()
    expect(await screen.findByText('Runs wait for a worker.')).toBeVisible()
    unmount()
    api.on(backtestWorkers.list, { queue: 'unreachable', waiting: 1, workers: [] })
    const again = await openLab()
    expect(await screen.findByText(/^The Redis of the work queue cannot be reached/)).toBeVisible()
    again.unmount()
    api.on(backtestWorkers.list, { queue: 'off', waiting: 0, workers: [] })
    await openLab()
    await waitFor(() => expect(api.calls(backtestWorkers.list)).toHaveLength(3))
    expect(screen.queryByRole('region', { name: /^Workers/ })).toBeNull()
  })

  test('[BT-42] a run is checked for look-ahead', async () => {
    const at = '2026-01-06T00:00:00.000Z'
    const report = { status: 'failed', cuts: 2, orders: 9, at, with_later_bars: 'a', without: null }
    api.on(sweeps.lookAhead, report)
    const { user } = await openLab('?run=1')
    await user.click(await screen.findByRole('button', { name: 'Check for look-ahead' }))
    expect(await screen.findByText('looks ahead')).toBeVisible()
    expect(screen.getByTitle(/With the bars up to 2026-01-06T00:00:00.000Z alone/)).toBeVisible()
  })

  test('[BT-25] a clone fills the form', async () => {
    const request = {
      ...REQUEST,
      initial_cash: 777,
      strategy: { type: 'momentum', config: { fast_bars: 33 } },
    }
    runs = [aRun(1, { request })]
    const { user } = await openLab('?run=1')
    await user.click(await screen.findByRole('button', { name: 'Clone' }))
    expect(form().getByLabelText('Capital')).toHaveValue('777')
    expect(form().getByLabelText('Fast bars')).toHaveValue('33')
  })

  test('[BT-28] [BT-33] a run is promoted with its parameters', async () => {
    api.on(strategies.list, { strategies: [] })
    api.on(backtests.promote, { id: 'S-1', name: 'Mine', type: 'momentum', status: 'stopped' })
    const { user } = await openLab('?run=1')
    await user.click(await screen.findByRole('button', { name: 'Promote' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Promote BT-1' }))
    await user.clear(dialog.getByLabelText('Name'))
    await user.type(dialog.getByLabelText('Name'), 'Mine')
    await user.click(dialog.getByRole('button', { name: 'Add Strategy' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Mine was added, stopped.']))
    expect(api.calls(backtests.promote)).toMatchObject([
      { path: '/api/nautilus/backtest/1/promote', body: { name: 'Mine' } },
    ])
  })

  test('[NAUT-164] without sweeps there are no fields, lists and buttons of them, and no data sets; what was approximated is named', async () => {
    api.on(service.capabilities, {
      version: 'v1.0.0',
      capabilities: ['backtesting', 'strategy-types', 'problems', 'market-data'],
    })
    runs = [aRun(1, { result: { ...aResult('5b'), approximations: ['Funding is not simulated.'] } })]
    await openLab('?run=1&module=mine.ts')
    expect(await screen.findByText('Funding is not simulated.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Re-run' })).toBeVisible()
    for (const name of ['Run sweep', 'Check for look-ahead', 'Strategy editor'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    const calls = [sweeps.list, backtestWorkers.list, strategyModules.list].flatMap((one) => api.calls(one))
    expect(calls).toEqual([])
  })
})

import { type EngineEntry, engines, type RiskMetrics, risk, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi, type RecordedCall } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'

const ENTRY: EngineEntry = {
  name: 'desk',
  kind: 'embedded',
  is_default: true,
  mode: 'simulated',
  state: 'running',
  reason: null,
  trading_state: 'ACTIVE',
  age_s: 0,
}
const NODE: EngineEntry = {
  ...ENTRY,
  name: 'tokyo',
  kind: 'nautilus',
  is_default: false,
  mode: 'paper',
  age_s: 1,
}

let api: FakeApi

/** The figures of an engine with this equity and result of the day. */
function metricsOf(equity: number, dayPnl: number, currency?: string): RiskMetrics {
  return {
    total_exposure: 1_000,
    margin_used: 0,
    margin_available: equity,
    max_drawdown: 0,
    var_1d: null,
    position_count: 2,
    account: {
      currency,
      equity,
      cash: equity,
      starting_capital: 100_000,
      day_pnl: dayPnl,
      realized_pnl: 0,
      unrealized_pnl: 0,
      fees: 0,
      funding: 0,
    },
  }
}

function listEngines(...listed: EngineEntry[]): void {
  api.on(engines.list, { engines: listed })
}

function giveFigures(ofTokyo: RiskMetrics): void {
  api.on(risk.metrics, ({ headers }: RecordedCall) =>
    headers['binnacle-engine'] === 'tokyo' ? ofTokyo : metricsOf(100_250, 250, 'USDT'),
  )
}

beforeEach(() => {
  api = createFakeApi()
  api.on(service.capabilities, { capabilities: ['engines', 'problems'] })
  listEngines(ENTRY, NODE)
  giveFigures(metricsOf(50_000, -50, 'USDT'))
})

/** The cards before the table, as `label value`. */
async function sums(): Promise<string[]> {
  const table = await screen.findByRole('table', { name: 'Trader Panel of All Engines' })
  const outside = screen.getAllByRole('term').filter((term) => !table.contains(term))
  return outside.map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`)
}

function rowOf(name: string): Promise<HTMLElement> {
  return screen.findByRole('row', { name: new RegExp(`^${name} `) })
}

test('[ENGS-20] the panel of all engines has a row per engine with its state, and sums of one currency', async () => {
  const { user } = renderConsole('/trader')
  await user.click(await screen.findByRole('link', { name: 'All engines' }))
  await waitFor(async () =>
    expect(await sums()).toEqual([
      'Open Positions 4',
      'Equity $150,250.00 USDT',
      'P&L today +$200.00 USDT',
      'Exposure $2,000.00 USDT',
    ]),
  )
  const cells = within(await rowOf('tokyo')).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    ...['tokyo', 'running', 'paper', 'ACTIVE', 'USDT', '$50,000.00', '-$50.00', '$1,000.00', '2', '1 s ago'],
  ])
  await user.click(screen.getByRole('link', { name: 'One engine' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Trader Panel' })).toBeVisible()
})

test('[ENGS-21] amounts of two currencies are not added, and those of mixed accounts are in no sum', async () => {
  giveFigures(metricsOf(7_000, 0, 'EUR'))
  renderConsole('/trader?engines=all')
  await waitFor(async () =>
    expect(await sums()).toEqual(
      expect.arrayContaining(['Equity $100,250.00 USDT', 'Equity $7,000.00 EUR', 'Open Positions 4']),
    ),
  )
  giveFigures(metricsOf(7_000, 0))
  await waitFor(async () =>
    expect((await sums()).filter((text) => text.startsWith('Equity'))).toHaveLength(1),
  )
})

test('[ENGS-22] an engine that is disconnected keeps its last figures, with their age, and is in no sum', async () => {
  const reason = 'the NautilusTrader node is not connected since 12:00:00 UTC'
  listEngines(ENTRY, { ...NODE, state: 'disconnected', trading_state: 'HALTED', reason, age_s: 34 })
  renderConsole('/trader?engines=all')
  await waitFor(async () =>
    expect(await sums()).toEqual(
      expect.arrayContaining(['Open Positions 2 without tokyo', 'Equity $100,250.00 USDT']),
    ),
  )
  expect(await rowOf('tokyo')).toHaveTextContent('$50,000.00')
  expect(
    screen.getByText(
      'tokyo is disconnected. The NautilusTrader node is not connected since 12:00:00 UTC. Its figures are 34 s old and not in the sums.',
    ),
  ).toBeVisible()
})

test('[ENGS-22] an engine that was never reached has no figures', async () => {
  api.answer(risk.metrics, ({ headers }) =>
    headers['binnacle-engine'] === 'tokyo'
      ? new Response('', { status: 503 })
      : Response.json(metricsOf(100_250, 250, 'USDT')),
  )
  listEngines(ENTRY, { ...NODE, mode: null, state: 'unreachable', trading_state: null, age_s: null })
  renderConsole('/trader?engines=all')
  expect(await screen.findByText('tokyo is unreachable. It has no figures yet.')).toBeVisible()
  await waitFor(async () => expect(await sums()).toContain('Equity $100,250.00 USDT'))
  expect(await rowOf('tokyo')).toHaveTextContent('—')
})

import { fillColour } from '#colours.ts'
import { expect, test } from '#fixtures.ts'
import { TraderDashboardPage } from '#pages/trader/trader-dashboard.ts'
import { EDGE } from '#tier.ts'

const CALLS = ['GET /api/engine/info', 'GET /api/nautilus/system-info', 'GET /api/risk/metrics'] as const

test(
  '[TRD-1] [TRD-2] [TRD-3] [TRD-4] [TRD-8] [TRD-6] [TRD-5] the engine card, the risk panel, the components and the cards that lead on',
  EDGE,
  async ({ page }) => {
    const trader = new TraderDashboardPage(page)
    await trader.open()
    await test.step('the engine card shows its eight figures', async () => {
      await expect(trader.engine.getByText('Live', { exact: true })).toBeVisible()
      await expect(trader.engineFigure('Trader ID')).toHaveText('TRADER-001')
      await expect(trader.engineFigure('Engine Type')).toHaveText('nautilus')
      await expect(trader.engineFigure('Status')).toHaveText('running')
      await expect(trader.engineFigure('Strategies')).toHaveText('4')
      await expect(trader.engineFigure('Components Online')).toHaveText(/^2\b/)
      await expect(trader.engineFigure('Open Positions')).toHaveText('3')
      await expect(trader.engineFigure('Total Exposure')).toHaveText('$18,250.40')
    })
    await test.step('the Risk Metrics panel shows six figures', async () => {
      await expect(trader.riskFigure('Total Exposure')).toHaveText('$18,250.40')
      await expect(trader.riskFigure('Margin Used')).toHaveText('$3,120.42')
      await expect(trader.riskFigure('Available Margin')).toHaveText('$6,988.31')
      await expect(trader.riskFigure('Max Drawdown')).toHaveText('2.31%')
      await expect(trader.riskFigure('1-day VaR')).toHaveText('$604.90')
      await expect(trader.riskFigure('Position Count')).toHaveText('3')
    })
    await test.step('each component has a dot in the colour of its status', async () => {
      for (const [name, type, status, colour] of [
        ['DataEngine', 'Engine', 'running', 'green'],
        ['ExecutionEngine', 'Engine', 'active', 'green'],
        ['RiskEngine', 'Engine', 'paused', 'yellow'],
        ['Portfolio', 'Component', 'stopped', 'red'],
        ['Cache', 'Component', 'error', 'red'],
        ['MessageBus', 'Component', 'warming', 'grey'],
      ] as const) {
        await expect(trader.component(name)).toContainText(type)
        await expect(trader.component(name)).toContainText(status)
        expect(await fillColour(trader.dot(name)), name).toBe(colour)
      }
    })
    await test.step('nine cards lead on, /trader/backtest included', async () => {
      const targets = await trader.main
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      expect(targets.filter((target) => target !== '/')).toEqual([
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
    })
  },
)

test('[TRD-9] [TRD-2] three calls are made again every 5 s', EDGE, async ({ page, backend }) => {
  const trader = new TraderDashboardPage(page)
  await page.clock.install()
  await trader.open()
  await expect(trader.engineFigure('Status')).toHaveText('running')
  Object.assign(backend.state.engine, { is_running: false, status: 'halted' })
  const before = CALLS.map((call) => backend.count(call))
  await page.clock.fastForward(5_000)
  await expect(trader.engine.getByText('Stopped', { exact: true })).toBeVisible()
  await expect(trader.engineFigure('Status')).toHaveText('halted')
  expect(CALLS.map((call) => backend.count(call))).toEqual(before.map((count) => count + 1))
})

test('[TRD-10] failures are logged only, and loading stops', EDGE, async ({ page, backend, watch }) => {
  watch.allowErrors(/API Error: 500|Failed to fetch/)
  backend.fail('GET /api/engine/info')
  backend.drop('GET /api/nautilus/system-info')
  backend.fail('GET /api/risk/metrics')
  const trader = new TraderDashboardPage(page)
  await trader.open()
  await expect.poll(() => watch.errors().length).toBe(3)
  await expect(trader.main.getByText(/^Loading/)).toHaveCount(0)
  await expect(trader.toasts.all).toHaveCount(0)
})

test('[TRD-7] without components the rest of the page stands', EDGE, async ({ page, backend }) => {
  backend.reply('GET /api/nautilus/system-info', { body: { version: '1.0' } })
  const trader = new TraderDashboardPage(page)
  await trader.open()
  await expect(trader.engineFigure('Trader ID')).toHaveText('TRADER-001')
  await expect(trader.riskFigure('Margin Used')).toHaveText('$3,120.42')
})

test('[TRD-3] the figures read Loading until they arrive', EDGE, async ({ page, backend }) => {
  const release = backend.hold('GET /api/*')
  const trader = new TraderDashboardPage(page)
  await trader.open()
  await expect(trader.main.getByText(/^Loading/).first()).toBeVisible()
  release()
  await expect(trader.engineFigure('Trader ID')).toHaveText('TRADER-001')
})

test(
  '[SHELL-7] when the server goes, the figures stay and their age appears',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/Failed to fetch/)
    const trader = new TraderDashboardPage(page)
    await page.clock.install()
    await trader.open()
    await expect(trader.engineFigure('Trader ID')).toHaveText('TRADER-001')
    backend.goAway()
    await page.clock.fastForward(5_000)
    await expect(trader.shell.connection).toContainText(/as of \d\d:\d\d:\d\d UTC/)
    await expect(trader.engineFigure('Trader ID')).toHaveText('TRADER-001')
  },
)

test.describe('with an idle engine', () => {
  test.use({ seed: 'empty' })

  test('[TRD-2] [TRD-7] the panel reads Stopped and counts nothing', EDGE, async ({ page }) => {
    const trader = new TraderDashboardPage(page)
    await trader.open()
    await expect(trader.engine.getByText('Stopped', { exact: true })).toBeVisible()
    await expect(trader.engineFigure('Components Online')).toHaveText(/^0\b/)
    await expect(trader.riskFigure('1-day VaR')).toHaveText('—')
  })
})

import type { RiskMetrics } from '#backend/entities.ts'
import { fillColour } from '#colours.ts'
import { expect, test } from '#fixtures.ts'
import { figure } from '#pages/figure.ts'
import { RiskPage } from '#pages/trader/risk.ts'
import { EDGE } from '#tier.ts'

const LIMITS = 'POST /api/risk/limits'

test(
  '[RISK-2] [RISK-4] [RISK-5] [RISK-8] the three cards show dollars, bars and percent',
  EDGE,
  async ({ page }) => {
    const risk = new RiskPage(page)
    await risk.open()
    await expect(risk.card('Total Exposure')).toContainText('$18,250.40')
    await expect(risk.bar('Total Exposure')).toHaveAttribute('aria-valuenow', '30.42')
    await expect(risk.card('Margin Usage')).toContainText('$3,120.42')
    await expect(risk.card('Margin Usage')).toContainText('$6,988.31')
    await expect(risk.bar('Margin Usage')).toHaveAttribute('aria-valuenow', '30.87')
    await expect(risk.card('Max Drawdown')).toContainText('2.31%')
    await expect(risk.card('Max Drawdown')).toContainText('$604.90')
    await risk.back.click()
    await expect(page).toHaveURL('/admin')
  },
)

test('[RISK-9] [RISK-11] [RISK-12] limits are edited, read as numbers and sent', async ({
  page,
  backend,
}) => {
  const risk = new RiskPage(page)
  await risk.open()
  await expect(figure(risk.limits, 'Max Order Size')).toHaveText('$12,500.00')
  await expect(figure(risk.limits, 'Max Positions')).toHaveText('8')
  await risk.limitAction('Edit Limits').click()
  await expect(risk.limits.getByLabel('Max Daily Loss')).toHaveValue('4200.5')
  await risk.limits.getByLabel('Max Order Size').fill('999.75')
  await risk.limits.getByLabel('Max Positions').fill('12')
  await risk.limitAction('Save').click()
  expect((await backend.called(LIMITS)).body).toEqual({
    max_order_size: 999.75,
    max_position_size: 60_000,
    max_daily_loss: 4_200.5,
    max_positions: 12,
  })
  await expect(figure(risk.limits, 'Max Order Size')).toHaveText('$999.75')
})

test(
  '[RISK-13] [RISK-14] polling leaves the edit alone, and Cancel restores what is stored',
  EDGE,
  async ({ page, backend }) => {
    const risk = new RiskPage(page)
    await page.clock.install()
    await risk.open()
    await risk.limitAction('Edit Limits').click()
    await risk.limits.getByLabel('Max Order Size').fill('1')
    backend.state.limits.max_order_size = 77_000
    const before = backend.count('GET /api/risk/limits')
    await page.clock.fastForward(5_000)
    await backend.called('GET /api/risk/limits', { times: before + 1 })
    await expect(risk.limits.getByLabel('Max Order Size')).toHaveValue('1')
    await risk.limitAction('Cancel').click()
    await expect(figure(risk.limits, 'Max Order Size')).toHaveText('$77,000.00')
    expect(backend.count(LIMITS)).toBe(0)
  },
)

test('[RISK-3] metrics and limits are fetched together, again every 5 s', EDGE, async ({ page, backend }) => {
  const risk = new RiskPage(page)
  await page.clock.install()
  await risk.open()
  await expect(risk.limits).toBeVisible()
  const before = backend.count('GET /api/risk/metrics')
  expect(backend.count('GET /api/risk/limits')).toBe(before)
  backend.state.metrics.total_exposure = 59_999
  await page.clock.fastForward(5_000)
  await backend.called('GET /api/risk/limits', { times: before + 1 })
  await expect(risk.card('Total Exposure')).toContainText('$59,999.00')
})

const BAR_COLOURS = [
  { used: 60, colour: 'green' },
  { used: 60.01, colour: 'yellow' },
  { used: 80, colour: 'yellow' },
  { used: 80.01, colour: 'red' },
]

test('[RISK-7] the margin bar turns yellow above 60 and red above 80', EDGE, async ({ page, backend }) => {
  const risk = new RiskPage(page)
  for (const { used, colour } of BAR_COLOURS) {
    Object.assign(backend.state.metrics, { margin_used: used, margin_available: 100 - used })
    await risk.open()
    const fill = risk.bar('Margin Usage').locator('*').first()
    await expect.poll(() => fillColour(fill), `${used} %`).toBe(colour)
  }
})

const NORMAL = 'All Systems Normal'
const MARGIN = 'High Margin Usage'
const POSITIONS = 'Max Positions Reached'
const EXPOSURE = 'Critical Exposure Level'

const ALERTS: { metrics: Partial<RiskMetrics>; alerts: string[] }[] = [
  { metrics: {}, alerts: [NORMAL] },
  { metrics: { total_exposure: 30_000 }, alerts: [] },
  { metrics: { margin_used: 50, margin_available: 50 }, alerts: [] },
  { metrics: { margin_used: 80, margin_available: 20 }, alerts: [] },
  { metrics: { margin_used: 80.1, margin_available: 19.9 }, alerts: [MARGIN] },
  { metrics: { position_count: 7 }, alerts: [NORMAL] },
  { metrics: { position_count: 8 }, alerts: [POSITIONS, NORMAL] },
  { metrics: { total_exposure: 54_000 }, alerts: [] },
  { metrics: { total_exposure: 54_000.01 }, alerts: [EXPOSURE] },
  {
    metrics: { total_exposure: 60_000, margin_used: 9, margin_available: 1, position_count: 9 },
    alerts: [MARGIN, POSITIONS, EXPOSURE],
  },
]

test(
  '[RISK-15] [RISK-16] [RISK-17] [RISK-18] [RISK-19] each alert has its own bound',
  EDGE,
  async ({ page, backend }) => {
    const risk = new RiskPage(page)
    const usual = { ...backend.state.metrics }
    await page.clock.install()
    await risk.open()
    for (const [index, { metrics, alerts }] of ALERTS.entries()) {
      // Each case has a figure of its own, so that it is known to be on the screen.
      backend.state.metrics = { ...usual, ...metrics, var_1d: 100 + index }
      await page.clock.fastForward(5_000)
      await expect(risk.card('Max Drawdown')).toContainText(`$${100 + index}.00`)
      for (const alert of [NORMAL, MARGIN, POSITIONS, EXPOSURE]) {
        const count = alerts.includes(alert) ? 1 : 0
        await expect(risk.alerts.getByText(alert, { exact: true }), JSON.stringify(metrics)).toHaveCount(
          count,
        )
      }
    }
  },
)

test('[RISK-15] [RISK-17] [RISK-18] the alerts say what to do', EDGE, async ({ page, backend }) => {
  const risk = new RiskPage(page)
  await risk.open()
  await expect(risk.alerts).toContainText('Risk metrics are within acceptable ranges.')
  Object.assign(backend.state.metrics, { total_exposure: 60_000, margin_used: 9, margin_available: 1 })
  await risk.open()
  await expect(risk.alerts).toContainText('Margin usage is above 80%. Consider reducing exposure.')
  await expect(risk.alerts).toContainText(
    'Total exposure is above 90% of maximum. Immediate action required.',
  )
})

test("[RISK-1] a slow first load reads 'Loading risk data...'", EDGE, async ({ page, backend }) => {
  const release = backend.hold('GET /api/risk/metrics')
  const risk = new RiskPage(page)
  await risk.open()
  await expect(risk.main.getByText('Loading risk data...', { exact: true })).toBeVisible()
  release()
  await expect(risk.card('Total Exposure')).toBeVisible()
})

test(
  '[RISK-10] [CLIENT-10] a failed load is logged, and the form holds the default limits',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 500/)
    backend.fail('GET /api/risk/metrics')
    backend.fail('GET /api/risk/limits')
    const risk = new RiskPage(page)
    await risk.open()
    await risk.limitAction('Edit Limits').click()
    for (const [label, value] of [
      ['Max Order Size', '10000'],
      ['Max Position Size', '50000'],
      ['Max Daily Loss', '5000'],
      ['Max Positions', '10'],
    ] as const) {
      await expect(risk.limits.getByLabel(label)).toHaveValue(value)
    }
    await expect(risk.main.getByText('Loading risk data...')).toHaveCount(0)
    await expect(risk.toasts.all).toHaveCount(0)
  },
)

test.describe('with nothing at stake', () => {
  test.use({ seed: 'empty' })

  test(
    '[RISK-6] [RISK-8] zero denominators read 0 percent and an unknown VaR a dash',
    EDGE,
    async ({ page, backend }) => {
      backend.state.limits.max_position_size = 0
      const risk = new RiskPage(page)
      await risk.open()
      await expect(risk.bar('Total Exposure')).toHaveAttribute('aria-valuenow', '0')
      await expect(risk.bar('Margin Usage')).toHaveAttribute('aria-valuenow', '0')
      await expect(risk.card('Max Drawdown')).toContainText('—')
    },
  )
})

test(
  '[SHELL-7] when the server goes, figures and alerts stay and their age appears',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/Failed to fetch/)
    const risk = new RiskPage(page)
    await page.clock.install()
    await risk.open()
    await expect(risk.alerts).toContainText('All Systems Normal')
    backend.goAway()
    await page.clock.fastForward(5_000)
    await expect(risk.shell.connection).toContainText(/as of \d\d:\d\d:\d\d UTC/)
    await expect(risk.card('Total Exposure')).toContainText('$18,250.40')
    await expect(risk.alerts).toContainText('All Systems Normal')
    await expect(risk.toasts.all).toHaveCount(0)
  },
)

test(
  '[CLIENT-10] a save that fails is logged only, and the form stays as typed',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 500/)
    backend.fail(LIMITS)
    const risk = new RiskPage(page)
    await risk.open()
    await risk.limitAction('Edit Limits').click()
    await risk.limits.getByLabel('Max Order Size').fill('777')
    await risk.limitAction('Save').click()
    await expect.poll(() => watch.errors().join()).toContain('API Error: 500 Internal Server Error')
    await expect(risk.limits.getByLabel('Max Order Size')).toHaveValue('777')
    await expect(risk.toasts.all).toHaveCount(0)
  },
)

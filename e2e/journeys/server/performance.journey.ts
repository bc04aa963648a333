import { readFile } from 'node:fs/promises'
import { expectAccessible } from '#axe.ts'
import { PerformancePage } from '#pages/trader/performance.ts'
import { expect, test } from '#server-fixtures.ts'

/** No other journey trades it. */
const INSTRUMENT = 'ETHUSDT-PERP.OKX'

test('[PERF-19] [PERF-20] [PERF-21] [PERF-23] [PERF-24] [PERF-26] [PERF-28] the result of a trade is measured, listed, charted and exported', async ({
  page,
}) => {
  const analytics = new PerformancePage(page)
  for (const side of ['BUY', 'SELL']) {
    const order = { instrument: INSTRUMENT, side, type: 'MARKET', quantity: 0.5, price: 0 }
    const reply = await page.request.post('/api/orders', { data: order })
    const { id } = await reply.json()
    const status = async () => (await (await page.request.get(`/api/orders/${id}`)).json()).status
    await expect.poll(status).toBe('FILLED')
  }

  const setAdvanced = async (enabled: boolean) =>
    expect((await page.request.put('/api/features/advanced-analytics', { data: { enabled } })).ok()).toBe(
      true,
    )

  await test.step('the screen shows the trade and its costs', async () => {
    await page.goto('/trader/performance?period=1D')
    await expect(analytics.trades.getByRole('link', { name: INSTRUMENT }).first()).toBeVisible()
    await expect(analytics.figures).toContainText('P&L net of fees')
    await expect(analytics.panel('By instrument')).toContainText(INSTRUMENT)
    await expect(analytics.panel('From gross to net')).toContainText(/known for [1-9]\d* of [1-9]\d* fills/)
    await expect(analytics.main.getByRole('figure', { name: /^Equity of all strategies/ })).toBeVisible()
  })

  await test.step('the deeper part comes with Advanced Analytics', async () => {
    await expect(analytics.panel('Deeper analytics')).toContainText('while Advanced Analytics is off')
    await setAdvanced(true)
    await expect(analytics.panel('1-day VaR, 95%')).toContainText('Needs 30 daily returns')
  })

  await test.step('the period is chosen by keyboard and stays in the address', async () => {
    await page.getByRole('radio', { name: '1D' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(/period=1W/)
    await page.reload()
    await expect(page.getByRole('radio', { name: '1W' })).toBeChecked()
  })

  await test.step('the report is exported and says that the venues are simulated', async () => {
    const download = page.waitForEvent('download')
    await analytics.main.getByRole('button', { name: 'JSON' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('performance-1w.json')
    const report = JSON.parse(await readFile(await saved.path(), 'utf8'))
    expect(report).toMatchObject({ venues: 'Simulated venues', period: '1W' })
    expect(report.trade_list.map(({ instrument }: { instrument: string }) => instrument)).toContain(
      INSTRUMENT,
    )
  })

  await test.step('the screen is accessible in both themes, at desk and phone width', async () => {
    await expectAccessible(page)
    // Other journeys use the same server.
    await setAdvanced(false)
  })

  await test.step('a trade leads to its chart', async () => {
    await analytics.trades.getByRole('link', { name: INSTRUMENT }).first().click()
    await expect(page).toHaveURL(/market-data\?instrument=ETHUSDT-PERP\.OKX&interval=1m&at=/)
    await expect(page.getByRole('heading', { level: 2, name: INSTRUMENT })).toBeVisible()
  })
})

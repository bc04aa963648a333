import type { Page } from '@playwright/test'
import { expectAccessible } from '#axe.ts'
import { FeaturesPage } from '#pages/admin/features.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { expect, test } from '#server-fixtures.ts'

/** The flags that are on, and the status of each service, as the server has them. */
async function stateOf(page: Page) {
  const { features, services } = await (await page.request.get('/api/engine/info')).json()
  return { on: Object.keys(features).filter((id) => features[id]), services }
}

async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Other journeys use the same server. */
async function restore(page: Page): Promise<void> {
  for (const [id, enabled] of [
    ['paper-trading', false],
    ['risk-management', true],
    ['live-trading', true],
    ['backtesting', true],
    ['multi-exchange', true],
    ['advanced-analytics', false],
  ] as const)
    expect((await page.request.put(`/api/features/${id}`, { data: { enabled } })).ok()).toBe(true)
  await page.request.post('/api/services/analytics/start')
  await page.request.post('/api/services/risk/stop')
}

test('[FEAT-7] [FEAT-10] [FEAT-13] [FEAT-24] every button of Features acts on the server', async ({
  page,
}) => {
  const features = new FeaturesPage(page)
  await features.open()
  await expect(features.entry('Live Trading').getByText('New orders are sent to the venues.')).toBeVisible()
  await expect(features.main.getByText('Simulated', { exact: true })).toHaveCount(0)
  await test.step('accessible in both themes, at desk and phone width', () => expectAccessible(page))

  await test.step('a flag', async () => {
    await features.action('Multi-Exchange', 'Disable').click()
    await expect(page.getByRole('dialog')).toContainText('only at Binance, the primary venue')
    await confirm(page, 'Disable')
    await expect(features.entry('Multi-Exchange').getByText('off', { exact: true })).toBeVisible()
    expect((await stateOf(page)).on).not.toContain('multi-exchange')
    await new OrdersPage(page).open()
    await expect(page.getByRole('region', { name: 'Features' })).toContainText('Multi-Exchange is off.')
    await features.open()
    await features.action('Multi-Exchange', 'Enable').click()
    await confirm(page, 'Enable')
    await expect.poll(async () => (await stateOf(page)).on).toContain('multi-exchange')
  })

  await test.step('a service', async () => {
    const status = async () => (await stateOf(page)).services.risk
    await features.action('Risk Service', 'Start').click()
    await expect.poll(status).toBe('running')
    for (const action of ['Restart', 'Stop']) {
      await features.action('Risk Service', action).click()
      await confirm(page, action)
      const expected = action === 'Stop' ? 'stopped' : 'running'
      await expect(features.entry('Risk Service').getByText(expected, { exact: true })).toBeVisible()
      await expect.poll(status).toBe(expected)
    }
    await features.action('Risk Service', 'Config').click()
    await expect(page.getByRole('dialog')).toContainText('This service has no settings.')
    await page.keyboard.press('Escape')
  })

  await test.step('all flags', async () => {
    await features.control('Disable All').click()
    await confirm(page, 'Disable')
    await expect(features.main.getByRole('alert').getByRole('listitem')).toHaveCount(6)
    expect((await stateOf(page)).on).toEqual([])
    await expect(page.getByRole('region', { name: 'Features' })).toContainText('Live Trading is off.')
    await features.control('Enable All').click()
    await expect(page.getByRole('dialog')).toContainText('Risk Management first and Live Trading last')
    await confirm(page, 'Enable')
    await expect.poll(async () => (await stateOf(page)).on).toContain('live-trading')
    expect((await stateOf(page)).on).toContain('risk-management')
    await expect(features.main.getByRole('alert').getByRole('listitem')).toHaveCount(6)
  })
  await restore(page)
})

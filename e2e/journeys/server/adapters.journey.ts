import type { Page } from '@playwright/test'
import { expectAccessible } from '#axe.ts'
import { AdaptersPage } from '#pages/admin/adapters.ts'
import { expect, test } from '#server-fixtures.ts'

/** An adapter as the server has it. */
async function adapterOf(page: Page, id: string) {
  const { adapters } = await (await page.request.get('/api/adapters')).json()
  return adapters.find((adapter: { id: string }) => adapter.id === id)
}

async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Other journeys use the same server. */
async function restore(page: Page): Promise<void> {
  for (const id of ['binance', 'bybit', 'okx'])
    expect((await page.request.post(`/api/adapters/${id}/connect`)).ok()).toBe(true)
  for (const id of ['coinbase', 'interactive-brokers'])
    expect((await page.request.post(`/api/adapters/${id}/disconnect`)).ok()).toBe(true)
}

test('[ADAPT-14] [ADAPT-15] [ADAPT-16] [ADAPT-19] [ADAPT-7] every button of Adapters acts on the server', async ({
  page,
}) => {
  const adapters = new AdaptersPage(page)
  await adapters.open()
  await expect(adapters.entry('Bybit').getByText('connected', { exact: true })).toBeVisible()
  await expect(adapters.main.getByText('Simulated', { exact: true })).toHaveCount(0)

  await test.step('Toggle', async () => {
    await adapters.action('Coinbase', 'Toggle').click()
    await expect(adapters.entry('Coinbase').getByText('connected', { exact: true })).toBeVisible()
    expect((await adapterOf(page, 'coinbase')).status).toBe('connected')
    await adapters.action('Coinbase', 'Toggle').click()
    await expect(page.getByRole('dialog')).toContainText('No order works there.')
    await confirm(page, 'Disconnect')
    await expect(adapters.entry('Coinbase').getByText('disconnected', { exact: true })).toBeVisible()
    expect((await adapterOf(page, 'coinbase')).state).toBe('off')
  })

  await test.step('Test', async () => {
    await adapters.action('Bybit', 'Test').click()
    const report = page.getByRole('list', { name: 'Test of Bybit' })
    await expect(report.getByRole('listitem')).toHaveCount(8)
    await expect(report.getByText('not applicable', { exact: true })).toHaveCount(2)
    expect((await adapterOf(page, 'bybit')).last_test.steps).toHaveLength(8)
    await test.step('accessible in both themes, at desk and phone width', () => expectAccessible(page))
  })

  await test.step('Config: a fault fails its step, and a dropped connection comes back', async () => {
    await adapters.action('Bybit', 'Config').click()
    const form = page.getByRole('form', { name: 'Configuration of Bybit' })
    await form.getByLabel('API key').fill('KEY-4711')
    await form.getByLabel('Clock skew, ms').fill('900')
    await form.getByRole('switch', { name: 'Dropped connection' }).check()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(adapters.entry('Bybit').getByText('disconnected', { exact: true })).toBeVisible()
    expect(await adapterOf(page, 'bybit')).toMatchObject({
      status: 'disconnected',
      config: { has_api_key: true, faults: { clock_skew_ms: 900, dropped: true } },
    })
    await expect(form.getByLabel('API key')).toHaveValue('')
    await form.getByRole('switch', { name: 'Dropped connection' }).uncheck()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(adapters.entry('Bybit').getByText('connected', { exact: true })).toBeVisible()
    await adapters.action('Bybit', 'Test').click()
    const clock = page
      .getByRole('list', { name: 'Test of Bybit' })
      .getByRole('listitem')
      .filter({ hasText: 'Clock' })
    await expect(clock.getByText('failed', { exact: true })).toBeVisible()
    expect((await adapterOf(page, 'bybit')).reconnects).toBeGreaterThan(0)
    await form.getByLabel('Clock skew, ms').fill('0')
    await form.getByRole('switch', { name: 'Remove stored credentials' }).check()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await adapterOf(page, 'bybit')).config.has_api_key).toBe(false)
  })

  await test.step('Connect All, Test All and Disconnect All', async () => {
    const report = adapters.main.getByRole('alert')
    const stateOf = async () => (await adapterOf(page, 'interactive-brokers')).status
    await adapters.control('Connect All').click()
    await expect(report.getByText('Interactive Brokers: connected')).toBeVisible()
    expect(await stateOf()).toBe('connected')
    await adapters.control('Test All').click()
    await expect(report.getByText('Bybit: passed')).toBeVisible()
    expect((await adapterOf(page, 'okx')).last_test.steps).toHaveLength(8)
    await adapters.control('Disconnect All').click()
    await confirm(page, 'Disconnect')
    await expect(report.getByText('Binance: disconnected')).toBeVisible()
    expect(await stateOf()).toBe('disconnected')
  })
  await restore(page)
})

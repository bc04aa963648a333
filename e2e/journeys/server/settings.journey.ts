import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#axe.ts'
import { SettingsPage } from '#pages/admin/settings.ts'
import { expect, test } from '#server-fixtures.ts'

const URL = '/api/admin/system-settings'

/** The settings as the server has them. */
async function stateOf(page: Page) {
  return (await (await page.request.get(URL)).json()).values
}

/** A receiver of webhooks that keeps the texts it gets. */
async function openReceiver() {
  const texts: string[] = []
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    texts.push(JSON.parse(body).text)
    response.end('ok')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  // A server on a port has an address with that port.
  const { port } = receiver.address() as { port: number }
  return { texts, url: `http://127.0.0.1:${port}/hook`, close: () => receiver.close() }
}

/** Other journeys use the same server. */
async function restore(page: Page): Promise<void> {
  expect((await page.request.post(`${URL}/reset`, { data: {} })).ok()).toBe(true)
}

test('[SET-9] [SET-16] [SET-23] [SET-25] [SET-29] [ALERT-32] every button of Settings acts on the server', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/422/)
  const settings = new SettingsPage(page)
  await restore(page)
  await settings.open()
  const header = page.getByRole('banner')
  await expect(header.getByText('Production')).toBeVisible()
  await expect(settings.main.getByText('Simulated', { exact: true })).toHaveCount(0)

  await test.step('Save of a section', async () => {
    await settings.field('General', 'System Name').fill('Desk 7')
    await settings.field('General', 'Environment').selectOption('Staging')
    await settings.field('Performance', /^Cache TTL/).fill('60')
    await settings.action('General', 'Save').click()
    await expect(header.getByRole('link', { name: 'Desk 7' })).toBeVisible()
    await expect(header.getByText('Staging')).toBeVisible()
    expect(await stateOf(page)).toMatchObject({
      system_name: 'Desk 7',
      environment: 'Staging',
      cache_ttl: '3600',
    })
  })

  await test.step('a refused value', async () => {
    await settings.field('Security', /^Session Timeout/).fill('0')
    await settings.control('Save All').click()
    const message = 'must be a whole number of minutes from 1 to 1440'
    await expect(settings.card('Security').getByText(message)).toBeVisible()
    expect(await stateOf(page)).toMatchObject({ session_timeout: '30', cache_ttl: '3600' })
    await settings.field('Security', /^Session Timeout/).fill('45')
    await settings.control('Save All').click()
    await expect.poll(() => stateOf(page)).toMatchObject({ session_timeout: '45', cache_ttl: '60' })
  })
  await page.getByText('Email by SMTP').click()
  await test.step('accessible in both themes, at desk and phone width', () => expectAccessible(page))

  await test.step('a channel and its test', async () => {
    const receiver = await openReceiver()
    await page.getByText('Slack by webhook').click()
    const test = page.getByRole('button', { name: 'Send test: Slack by webhook' })
    await test.click()
    await expect(settings.card('Notifications')).toContainText('Not sent: Slack is switched off in Settings.')
    await settings.card('Notifications').getByRole('switch', { name: 'Slack' }).check()
    await settings.field('Notifications', 'Slack webhook address').fill(receiver.url)
    await settings.action('Notifications', 'Save').click()
    await expect(settings.card('Notifications')).toContainText('Stored, never shown.')
    // Sent again where the receiver, which is this process, needed more than the 5 s of the server.
    await expect(async () => {
      await test.click()
      await expect(test).toBeEnabled()
      await expect(settings.card('Notifications')).toContainText('Accepted: HTTP 200: ok', {
        timeout: 15_000,
      })
    }).toPass()
    expect(receiver.texts).toContain('*[Desk 7] Test*\nThis is a test of Slack. The channel works.')
    expect(await stateOf(page)).toMatchObject({ slack_secret_url: '[masked]' })
    const { channels } = await (await page.request.get('/api/alerts/channels')).json()
    expect(channels).toContainEqual(expect.objectContaining({ channel: 'slack', is_ready: true }))
    receiver.close()
  })

  const file = await test.step('Export', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), settings.control('Export').click()])
    expect(download.suggestedFilename()).toBe('binnacle-settings.json')
    return JSON.parse(await readFile(await download.path(), 'utf8'))
  })

  await test.step('Reset of a section', async () => {
    await settings.action('Performance', 'Reset').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await expect(settings.field('Performance', /^Cache TTL/)).toHaveValue('3600')
    expect(await stateOf(page)).toMatchObject({ system_name: 'Desk 7', cache_ttl: '3600' })
  })

  const before = await test.step('Import', async () => {
    const { version } = await (await page.request.get(URL)).json()
    await settings.control('Import').click()
    await settings.chooseFile({ settings: { ...file.settings, colour: 'red' } })
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('alert')).toContainText('colour is not a known setting')
    await settings.chooseFile(file)
    await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('Cache TTL (seconds)3600 → 60')
    expect(await stateOf(page)).toMatchObject({ cache_ttl: '3600' })
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => stateOf(page)).toMatchObject({ cache_ttl: '60', session_timeout: '45' })
    return version
  })

  await test.step('Revert', async () => {
    const name = `Revert to version ${before}`
    await settings.card('Versions').getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
    await expect.poll(() => stateOf(page)).toMatchObject({ cache_ttl: '3600', session_timeout: '45' })
  })

  await test.step('Reset All', async () => {
    await settings.control('Reset All').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await expect(header.getByRole('link', { name: 'Binnacle' })).toBeVisible()
    expect(await stateOf(page)).toMatchObject({ system_name: 'Binnacle', session_timeout: '30' })
  })
  await restore(page)
})

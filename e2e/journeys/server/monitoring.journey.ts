import { readFile } from 'node:fs/promises'
import { expectAccessible, expectStateAccessible } from '#axe.ts'
import { MonitoringPage } from '#pages/admin/monitoring.ts'
import { expect, test } from '#server-fixtures.ts'

test('[MON-3] [MON-5] [MON-12] [MON-14] [MON-16] [MON-19] our server shows what it measured, its logs and its reports', async ({
  page,
  server,
}) => {
  const monitoring = new MonitoringPage(page)
  await monitoring.open()
  await test.step('measured figures', async () => {
    await expect(monitoring.figure('CPU Usage')).toHaveText(/^\d+\.\d% of \d+ cores? · machine \d+\.\d%$/)
    await expect(monitoring.figure('Memory')).toHaveText(/^\d+ MB of \d+\.\d GB$/)
    await expect(monitoring.figure('Uptime')).toHaveText(/^\d+\.\d\d% 1 day$/)
    await expect(page.getByRole('figure', { name: /^CPU Usage over time, last/ })).toBeVisible()
    const routes = page.getByRole('table', { name: 'Latency per route' })
    await expect(routes.getByRole('cell', { name: '/api/admin/monitoring', exact: true })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Store sizes' }).getByText('Journal')).toBeVisible()
    await expectAccessible(page)
  })
  await test.step('a change is in the log with its request and its audit record', async () => {
    await monitoring.control('View Logs').click()
    await expect(page.getByRole('table', { name: 'Logs' })).toBeVisible()
    const changed = await page.request.put(`${server.origin}/api/admin/settings/environment?value=Staging`)
    const id = String(changed.headers()['x-request-id'])
    await page.getByRole('button', { name: id.slice(0, 8) }).click()
    await expect(page.getByText(/local settings\.update environment/)).toBeVisible()
    await expectStateAccessible(page)
    await page.keyboard.press('Escape')
    await page.request.put(`${server.origin}/api/admin/settings/environment?value=Production`)
  })
  await test.step('the files are saved', async () => {
    const download = page.waitForEvent('download')
    await monitoring.main.getByRole('button', { name: 'Download', exact: true }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain('server.started')
    await monitoring.control('View Reports').click()
    for (const [name, file] of [
      ['Download HTML', /^binnacle-daily-.*\.html$/],
      ['Download CSV', /^binnacle-daily-.*\.csv$/],
      ['Download bundle', /^binnacle-support-.*\.tar\.gz$/],
    ] as const) {
      const saved = page.waitForEvent('download')
      await monitoring.control(name).click()
      expect((await saved).suggestedFilename()).toMatch(file)
    }
    await expectStateAccessible(page)
  })
  await test.step('an alert is acknowledged here, and the server knows', async () => {
    await page.request.post(`${server.origin}/api/alerts/channels/test`)
    await monitoring.control('View Alerts').click()
    await monitoring.main.getByRole('button', { name: 'Snooze 1 h Test alert' }).first().click()
    await expect(monitoring.main.getByText(/^snoozed until/).first()).toBeVisible()
    const { alerts: snoozed } = await (await page.request.get(`${server.origin}/api/alerts`)).json()
    const until = snoozed.map((alert: { snoozed_until: string | null }) =>
      Date.parse(alert.snoozed_until ?? ''),
    )
    expect(until.some((at: number) => at > Date.now())).toBe(true)
    await monitoring.main.getByRole('button', { name: 'Acknowledge Test alert' }).first().click()
    const states = async () => {
      const { alerts } = await (await page.request.get(`${server.origin}/api/alerts`)).json()
      return alerts.filter(({ title }: { title: string }) => title === 'Test alert').map(stateOf)
    }
    await expect.poll(states).toContain('acknowledged')
    const left = async () => (await states()).length
    const before = await left()
    await monitoring.main.getByRole('tab', { name: /^Acknowledged/ }).click()
    await monitoring.main.getByRole('button', { name: 'Resolve Test alert' }).first().click()
    await expect.poll(left).toBe(before - 1)
    await expectStateAccessible(page)
    await expect(monitoring.main.getByRole('button', { name: 'Open Alerts' })).toBeVisible()
  })
})

function stateOf({ state }: { state: string }): string {
  return state
}

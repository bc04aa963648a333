import { expect, test } from '#fixtures.ts'
import { MonitoringPage } from '#pages/admin/monitoring.ts'

test('[MON-1] [MON-2] static cards, and buttons that only show a message', async ({ page, backend }) => {
  const monitoring = new MonitoringPage(page)
  await monitoring.open()
  await test.step('four static cards', async () => {
    await expect(monitoring.figure('CPU Usage')).toHaveText('45%')
    await expect(monitoring.figure('Memory')).toHaveText('2.1GB')
    await expect(monitoring.figure('Requests/sec')).toHaveText('1,234')
    await expect(monitoring.figure('Uptime')).toHaveText('99.9%')
  })
  await test.step('metrics, logs, alerts and reports each only show a message', async () => {
    await expect(monitoring.figure('Uptime')).toBeVisible()
    const before = backend.calls().filter(({ path }) => path !== '/health').length
    for (const name of [/metrics/i, /logs/i, /alerts/i, /reports/i]) {
      await monitoring.main.getByRole('button', { name }).click()
      await expect(monitoring.toasts.saying(name)).toBeVisible()
    }
    expect(backend.calls().filter(({ path }) => path !== '/health')).toHaveLength(before)
  })
})

import { expectAccessible } from '#axe.ts'
import { AlertsPage } from '#pages/trader/alerts.ts'
import { expect, test } from '#server-fixtures.ts'

test('[SOON-3] [ALERT-1] [ALERT-2] [ALERT-11] [ALERT-19] [ALERT-25] [ALERT-26] a rule is tested, saved and fires; its alert is handled', async ({
  page,
}) => {
  const alerts = new AlertsPage(page)
  await alerts.open()
  const stored = async () => (await page.request.get('/api/alerts')).json()
  const bell = page.getByRole('banner').getByRole('link', { name: /^Alerts/ })

  await test.step('a rule is tested on yesterday before it is saved', async () => {
    // Any price of BTCUSDT is above 1.
    await alerts.newRule('Journey rule', '1')
    await alerts.main.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(alerts.main.getByText('would fire 1 time')).toBeVisible()
    const { rules } = await (await page.request.get('/api/alerts/rules')).json()
    expect(rules.map(({ name }: { name: string }) => name)).not.toContain('Journey rule')
  })

  await test.step('saved, it fires: the bell, the inbox and the Trader Panel show it without a reload', async () => {
    await alerts.form('New rule').getByRole('button', { name: 'Save rule' }).click()
    await expect(alerts.inbox.filter({ hasText: 'Journey rule' })).toContainText('at or above 1.')
    await expect(bell).toHaveAccessibleName(/^Alerts, \d+ open$/)
    await page.goto('/trader')
    await expect(page.getByRole('region', { name: 'Alerts' })).toContainText('Journey rule')
  })

  await test.step('the screen is accessible in both themes, at desk and phone width', async () => {
    await bell.click()
    await alerts.main.getByRole('button', { name: 'Journey rule', exact: true }).click()
    await expect(alerts.form('Journey rule')).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('it is acknowledged and resolved on the server too', async () => {
    await alerts.main.getByRole('button', { name: 'Acknowledge Journey rule' }).click()
    await alerts.tab(/^Acknowledged/).click()
    await alerts.main.getByRole('button', { name: 'Resolve Journey rule' }).click()
    await alerts.tab(/^Resolved/).click()
    await expect(alerts.inbox.filter({ hasText: 'Journey rule' })).toBeVisible()
    const { alerts: left } = await stored()
    expect(left.filter(({ title }: { title: string }) => title === 'Journey rule')).toEqual([])
  })

  await test.step('mute and its end', async () => {
    await alerts.main.getByRole('button', { name: 'Mute for…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '15 min' }).click()
    await alerts.main.getByRole('button', { name: 'End mute' }).click()
    await expect(alerts.main.getByRole('button', { name: 'Mute for…' })).toBeVisible()
    expect((await stored()).muted_until).toBeNull()
  })

  await test.step('the rule is deleted', async () => {
    await alerts.main.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(alerts.rules.filter({ hasText: 'Journey rule' })).toHaveCount(0)
  })
})

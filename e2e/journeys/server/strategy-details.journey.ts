import { expectAccessible } from '#axe.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

test(
  '[STRAT-52] [STRAT-53] [RISK-68] a strategy is cloned, looked into and given a loss limit by keyboard',
  EDGE,
  async ({ page, server, watch }) => {
    watch.allowErrors(/422/)
    const body = { name: 'Original', type: 'momentum', description: 'Trend', config: { fast_bars: 7 } }
    const added = await page.request.post(`${server.origin}/api/strategies`, {
      data: body,
      headers: { origin: server.origin },
    })
    expect(added.ok()).toBe(true)
    await page.goto('/trader/strategies')
    const card = page.getByRole('main').getByRole('region', { name: 'Original', exact: true })
    await card.getByRole('button', { name: 'Clone' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Add New Strategy' })
    await expect(form.getByLabel('Name')).toHaveValue('Original copy')
    await form.getByLabel('Name').fill('Original')
    await form.getByRole('button', { name: 'Add Strategy' }).press('Enter')
    await expect(form.getByText(/is already used by strategy/)).toBeVisible()
    await form.getByLabel('Name').fill('Second')
    await form.getByRole('button', { name: 'Add Strategy' }).press('Enter')
    await expect(form).toBeHidden()
    const second = page.getByRole('main').getByRole('region', { name: 'Second', exact: true })
    await second.getByRole('button', { name: 'Details' }).press('Enter')
    const drawer = page.getByRole('complementary', { name: 'Second' })
    await expect(drawer.getByText('Fast average (bars)').locator('xpath=following-sibling::dd')).toHaveText(
      '7',
    )
    await drawer.getByLabel('Loss limit').fill('250.5')
    await drawer.getByRole('button', { name: 'Save Loss Limit' }).press('Enter')
    await expect(drawer.getByRole('button', { name: 'Save Loss Limit' })).toBeDisabled()
    await expectAccessible(page)
    await page.reload()
    await expect(drawer.getByLabel('Loss limit')).toHaveValue('250.5')
    await page.getByRole('button', { name: 'Close Second' }).press('Enter')
    await expect(drawer).toBeHidden()
  },
)

import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll, expectStateAccessible, PHONE } from '#axe.ts'
import { expect, test } from '#two-engines.ts'

const ORDER = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', price: 12_345, quantity: 0.01 }

const switchOf = (page: Page) => page.getByRole('combobox', { name: 'Engine' })

test('[ENGS-13] [ENGS-12] [ENGS-14] [ENGS-17] two engines in one console: choose, see only its own, halt both', async ({
  page,
}) => {
  const headers = { 'binnacle-engine': 'tokyo' }
  expect((await page.request.post('/api/orders', { data: ORDER, headers })).status()).toBe(201)
  await page.goto('/trader/orders')
  await expect(switchOf(page)).toHaveValue('desk')
  await expect(page.getByText('No orders yet')).toBeVisible()

  await test.step('the other engine has its own order, also after a reload', async () => {
    await switchOf(page).selectOption('tokyo')
    await expect(page.getByText('12,345.00')).toBeVisible()
    await page.reload()
    await expect(switchOf(page)).toHaveValue('tokyo')
    await expect(page.getByText('12,345.00')).toBeVisible()
  })
  await test.step('a phone has the choice below the header', async () => {
    await page.setViewportSize(PHONE)
    await expect(page.getByRole('banner').getByRole('combobox', { name: 'Engine' })).toHaveCount(0)
    await expect(switchOf(page)).toHaveValue('tokyo')
    await expectNoSidewaysScroll(page)
  })
  await page.setViewportSize({ width: 1400, height: 900 })
  await test.step('the working orders of all engines are together', async () => {
    await page.getByRole('link', { name: 'All engines' }).click()
    const table = page.getByRole('table', { name: 'Working Orders of All Engines' })
    await expect(table.getByRole('row', { name: /tokyo/ })).toContainText('12,345.00')
    await test.step('accessible in both themes, at desk and phone width', () => expectAccessible(page))
  })
  await test.step('the emergency control halts both', async () => {
    await page.getByRole('button', { name: 'Emergency', exact: true }).click()
    const control = page.getByRole('complementary', { name: 'Emergency control' })
    await control.getByText('All engines', { exact: true }).click()
    await expect(control.getByRole('table', { name: 'Engines' })).toContainText('tokyo')
    await expectStateAccessible(page)
    await control.getByRole('textbox').fill('HALT')
    await page.keyboard.press('Enter')
    const answers = control.getByRole('list', { name: 'What each engine answered' })
    await expect(answers.getByRole('listitem')).toHaveText(['deskHalted.', 'tokyoHalted.'])
    const states = async () => {
      const { engines } = await (await page.request.get('/api/engines')).json()
      return engines.map(({ trading_state: state }: { trading_state: string }) => state)
    }
    expect(await states()).toEqual(['HALTED', 'HALTED'])
  })
})

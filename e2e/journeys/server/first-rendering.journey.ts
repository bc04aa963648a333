import type { Page } from '@playwright/test'
import { expectOpened } from '#pages/opened.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

/** Opens a page whose code does not arrive, again while the server is too busy to render it with its data (SHELL-174). */
async function openWithoutCode(
  page: Page,
  path: string,
  shown = page.locator('#root[inert]'),
): Promise<void> {
  await page.route('**/assets/*.js', (route) => route.abort())
  await expect(async () => {
    await page.goto(path)
    await expect(shown).toBeVisible({ timeout: 1 })
  }).toPass()
}

function prefer(page: Page, preferences: Record<string, string>): Promise<unknown> {
  return page.addInitScript(
    (chosen) => localStorage.setItem('binnacle.preferences', JSON.stringify(chosen)),
    preferences,
  )
}

test.beforeEach(({ watch }) => watch.allowErrors(/Failed to load resource|Failed to fetch|error loading/))

test('[SHELL-170] [SHELL-171] a screen is shown with its data before its code has arrived, and is inert', async ({
  page,
}) => {
  // Refused and listed, so that it leaves nothing behind for other journeys.
  const order = { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 10 }
  const placed = await (await page.request.post('/api/orders', { data: order })).json()
  await openWithoutCode(
    page,
    '/trader/orders',
    page.locator('#root[inert]').getByText(placed.id, { exact: true }),
  )
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await expect(page.getByRole('button')).toHaveCount(0)
})

test('[SHELL-171] the console replaces what the server rendered', EDGE, async ({ page }) => {
  await page.goto('/trader/orders')
  await expectOpened(page, 'Orders')
  await expect(page.locator('#root')).not.toHaveAttribute('inert')
  await expect(page.locator('main')).toHaveCount(1)
  await page.getByRole('button', { name: 'Create New Order' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('[SHELL-172] a page that does not start says that nothing on it is updated', async ({ page }) => {
  await openWithoutCode(page, '/trader/orders')
  const note = () =>
    page.evaluate(() => {
      const { content, visibility } = getComputedStyle(
        document.querySelector('#root') ?? document.body,
        '::before',
      )
      return `${visibility}: ${content}`
    })
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
  expect(await note()).toContain('visible: "The console has not started: nothing here is updated.')
})

test(
  '[SHELL-173] what the server rendered follows what was chosen in this browser',
  EDGE,
  async ({ page }) => {
    await prefer(page, { theme: 'dark', rail: 'narrow', firstSteps: 'hidden' })
    await openWithoutCode(page, '/trader')
    const rail = page.locator('nav[aria-label="Screens"]')
    expect((await rail.boundingBox())?.width).toBeLessThan(52)
    await expect(page.getByText('First steps')).toBeHidden()
    await expect(page.locator('[aria-label^="Switch to"]')).toBeHidden()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.unrouteAll()
    await page.reload()
    await expectOpened(page, 'Trader Panel')
    expect((await rail.boundingBox())?.width).toBeLessThan(52)
  },
)

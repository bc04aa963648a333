import type { Locator, Page } from '@playwright/test'
import { Api } from '#lost-replies/api.ts'
import { StrategiesPage } from '#pages/trader/strategies.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

const WINDOWS = [
  { width: 390, height: 844 },
  { width: 900, height: 700 },
  { width: 1440, height: 900 },
]

for (const viewport of WINDOWS) {
  test(
    `[TOAST-10] at ${viewport.width} × ${viewport.height} a toast covers no button that has to be pressed`,
    viewport.width === 900 ? EDGE : {},
    async ({ page, server, request, watch }) => {
      watch.allowErrors(/Failed to (fetch|load resource)/)
      await page.setViewportSize(viewport)
      const api = new Api(request, server.origin)
      const name = `Covered ${viewport.width}`
      await api.post('/api/strategies', { name, type: 'mean_reversion', description: '', config: {} })
      const strategies = new StrategiesPage(page)
      await strategies.open()
      await page.route('**/api/strategies/*/start', (route) => route.abort('connectionreset'))
      await strategies.action(name, /^start/i).click()
      // Stays until it is closed.
      const toast = strategies.toasts.saying('No answer.')
      await expect(toast).toBeVisible()

      await test.step('of the page', () => expectUncovered(page, strategies.main))
      await test.step('of a dialog', async () => {
        await strategies.openForm()
        await expectUncovered(page, strategies.form)
        await strategies.form.getByRole('button', { name: 'Cancel' }).click()
      })
      await test.step('of the emergency control', async () => {
        await page.getByRole('button', { name: 'Emergency', exact: true }).click()
        const drawer = page.getByRole('complementary', { name: 'Emergency control' })
        await expectUncovered(page, drawer)
        await expectOnTop(drawer.getByLabel(/^Or type/))
      })
      await expect(toast).toBeVisible()
    },
  )
}

/** Every button of it, once scrolled to. */
async function expectUncovered(page: Page, scope: Locator): Promise<void> {
  const buttons = scope.getByRole('button')
  await expect(buttons.nth(2)).toBeVisible()
  for (let nth = 0; nth < (await buttons.count()); nth++) await expectOnTop(buttons.nth(nth))
  await page.evaluate(() => window.scrollTo(0, 0))
}

/** A press in the middle of it reaches it. */
async function expectOnTop(control: Locator): Promise<void> {
  const isOnTop = () =>
    control.evaluate((element) => {
      element.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = element.getBoundingClientRect()
      const hit = document.elementFromPoint(x + width / 2, y + height / 2)
      return element.contains(hit) || hit?.closest('label')?.contains(element) === true
    })
  await expect.poll(isOnTop, (await control.textContent()) ?? '').toBe(true)
}

import { OrdersPage } from '#pages/trader/orders.ts'
import { expect, test } from '#server-fixtures.ts'

const FILES = /\/assets\/.*\.(js|css)$/

test('[SHELL-301] [SHELL-300] [FAIL-300] a console whose files do not load stays usable and loads them later', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/Failed to (fetch|load resource)|error loading|Unable to preload|net::ERR/)
  const loaded = page.waitForResponse(/\/assets\/emergency-drawer-.*\.js$/)
  await new OrdersPage(page).open()
  await loaded
  await page.route(FILES, (route) => route.abort())

  await test.step('the emergency control opens', async () => {
    await page.getByRole('button', { name: 'Emergency' }).click()
    await expect(page.getByRole('complementary', { name: 'Emergency control' })).toBeVisible()
  })
  const failed = page.getByRole('alert').filter({ hasText: 'Could not load.' })
  await test.step('the palette says that it could not load, and loads by Try again', async () => {
    await page.keyboard.press('Control+k')
    await expect(failed).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
    await page.unroute(FILES)
    await failed.getByRole('button', { name: 'Try again' }).click()
    const palette = page.getByRole('dialog', { name: 'Go to' })
    await expect(palette).toBeVisible()
    // Its style sheet, too.
    await expect(palette.getByRole('listbox')).toHaveCSS('overflow-y', 'auto')
    await page.keyboard.press('Escape')
  })
  await test.step('a screen is loaded by Try again', async () => {
    await page.route(FILES, (route) => route.abort())
    await page.getByRole('link', { name: 'Backtesting' }).click()
    await expect(page.getByText('An unexpected error occurred.')).toBeVisible()
    await page.unroute(FILES)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Backtesting' })).toBeVisible()
  })
})

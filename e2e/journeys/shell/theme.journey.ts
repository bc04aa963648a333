import { expect, test } from '#fixtures.ts'
import { expectOpened } from '#pages/opened.ts'
import { ROUTE_TABLE } from '#pages/route-table.ts'
import { Shell } from '#pages/shell.ts'
import { shownTheme } from '#pages/theme.ts'
import { tourByRail } from '#pages/tour.ts'

test.describe('on a system that prefers dark', () => {
  test.use({ colorScheme: 'dark' })

  test('[THEME-1] with nothing stored the theme is light', async ({ page }) => {
    for (const { path, title } of ROUTE_TABLE.slice(0, 2)) {
      await page.goto(path)
      await expectOpened(page, title)
      expect(await shownTheme(page)).toBe('light')
    }
  })
})

test('[THEME-2] the toggle in the header switches to dark and back', async ({ page }) => {
  const { themeToggle } = new Shell(page)
  await page.goto('/trader')
  await themeToggle.click()
  await expect.poll(() => shownTheme(page)).toBe('dark')
  await themeToggle.click()
  await expect.poll(() => shownTheme(page)).toBe('light')
})

test('[THEME-2] no screen has another place that switches the theme', async ({ page }) => {
  const main = page.getByRole('main')
  await page.goto('/')
  await expectOpened(page, 'Binnacle')
  await expect(main.getByRole('button', { name: /theme|dark|light/i })).toHaveCount(0)
  await page.goto('/docs')
  await tourByRail(page, async () => {
    await expect(main.getByRole('button', { name: /theme|dark|light/i })).toHaveCount(0)
    await expect(main.getByLabel(/theme/i)).toHaveCount(0)
  })
})

test('[THEME-3] a chosen dark theme is still there after a reload, on home too', async ({ page }) => {
  await page.goto('/admin')
  await new Shell(page).themeToggle.click()
  await page.reload()
  await expectOpened(page, 'Binnacle Admin Panel')
  expect(await shownTheme(page)).toBe('dark')
  await page.goto('/')
  await expectOpened(page, 'Binnacle')
  expect(await shownTheme(page)).toBe('dark')
})

test('[THEME-3] a chosen light theme is still there after a reload', async ({ page }) => {
  await page.goto('/admin')
  const { themeToggle } = new Shell(page)
  await themeToggle.click()
  await themeToggle.click()
  await page.reload()
  await expectOpened(page, 'Binnacle Admin Panel')
  expect(await shownTheme(page)).toBe('light')
})

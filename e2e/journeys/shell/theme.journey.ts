import type { Page } from '@playwright/test'
import { expect, test } from '#fixtures.ts'
import { expectOpened } from '#pages/opened.ts'
import { Shell } from '#pages/shell.ts'
import { shownTheme, type Theme } from '#pages/theme.ts'
import { EDGE } from '#tier.ts'

test.use({ colorScheme: 'dark' })

test(
  '[THEME-1] [THEME-2] [THEME-3] [THEME-4] light unless chosen otherwise; the header switches it, and a reload keeps it',
  EDGE,
  async ({ page }) => {
    const { themeToggle } = new Shell(page)
    await test.step('with nothing stored the theme is light, also on a system that prefers dark', async () => {
      await page.goto('/')
      await expectTheme(page, 'Binnacle', 'light')
      await page.goto('/admin')
      await expectTheme(page, 'Binnacle Admin Panel', 'light')
    })
    await test.step('dark is chosen, and is there after a reload and on home', async () => {
      await themeToggle.click()
      await expect.poll(() => shownTheme(page)).toBe('dark')
      await page.goto('/')
      await expectTheme(page, 'Binnacle', 'dark')
      await page.goto('/admin')
      await expectTheme(page, 'Binnacle Admin Panel', 'dark')
    })
    await test.step('the theme of the system is followed, also after a reload', async () => {
      await themeToggle.click()
      await page.emulateMedia({ colorScheme: 'light' })
      await expect.poll(() => shownTheme(page)).toBe('light')
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.reload()
      await expectTheme(page, 'Binnacle Admin Panel', 'dark')
    })
    await test.step('light is chosen again, and is there after a reload', async () => {
      await themeToggle.click()
      await expect.poll(() => shownTheme(page)).toBe('light')
      await page.reload()
      await expectTheme(page, 'Binnacle Admin Panel', 'light')
    })
  },
)

async function expectTheme(page: Page, title: string, theme: Theme): Promise<void> {
  await expectOpened(page, title)
  expect(await shownTheme(page)).toBe(theme)
}

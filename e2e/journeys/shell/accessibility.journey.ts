import type { Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations } from '#axe.ts'
import { expect, test } from '#fixtures.ts'
import { expectOpened } from '#pages/opened.ts'
import { ROUTE_TABLE } from '#pages/route-table.ts'
import { rememberTheme, shownTheme, type Theme } from '#pages/theme.ts'

const DESK = { width: 1400, height: 900 }
const PHONE = { width: 390, height: 844 }

const SCREENS = [...ROUTE_TABLE, { path: '/404', title: 'Page Not Found' }]

for (const { path, title } of SCREENS) {
  test(`[SHELL-8] [SHELL-9] ${path} passes axe in both themes and fits a phone`, async ({ page }) => {
    test.slow()
    for (const theme of ['light', 'dark'] as const) {
      await openIn(page, theme, path)
      await expectOpened(page, title)
      expect(await shownTheme(page)).toBe(theme)
      await test.step(`${theme}, desk`, async () => {
        await page.setViewportSize(DESK)
        await expectNoViolations(page)
      })
      await test.step(`${theme}, phone`, async () => {
        await page.setViewportSize(PHONE)
        await expectNoSidewaysScroll(page)
        await expectNoViolations(page)
      })
    }
  })
}

async function openIn(page: Page, theme: Theme, path: string): Promise<void> {
  await rememberTheme(page, theme)
  await page.goto(path)
}

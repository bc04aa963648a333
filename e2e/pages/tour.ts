import { expect, type Page, test } from '@playwright/test'
import { expectOpened } from './opened.ts'
import { type ConsoleRoute, ROUTE_TABLE } from './route-table.ts'
import { Shell } from './shell.ts'

/** Visits these screens, or every one of the shell, through the rail and without reloading the page. */
export async function tourByRail(
  page: Page,
  routes: readonly ConsoleRoute[] = ROUTE_TABLE.filter(({ path }) => path !== '/'),
  visit?: (route: ConsoleRoute) => Promise<void>,
): Promise<void> {
  const shell = new Shell(page)
  for (const route of routes) {
    await test.step(route.path, async () => {
      await shell.goTo(route.screen)
      await expect(page).toHaveURL(route.path)
      await expectOpened(page, route.title)
      await visit?.(route)
    })
  }
}

import type { Page } from '@playwright/test'
import { expectAccessible, expectStateAccessible } from '#axe.ts'
import { expect, test } from '#fixtures.ts'
import { control } from '#pages/control.ts'
import { expectOpened } from '#pages/opened.ts'
import { ROUTE_TABLE } from '#pages/route-table.ts'
import { Shell } from '#pages/shell.ts'
import { tourByRail } from '#pages/tour.ts'

/** Documented on the docs page but never made by the console; /api/health is also what probes ask. */
const DOCUMENTED_ONLY = [
  'GET /api/nautilus/engine/info',
  'POST /api/nautilus/database/*',
  'GET /api/nautilus/database/redis-stats',
  'POST /api/nautilus/components/*',
  'GET /api/nautilus/instruments',
  'GET /api/nautilus/cache/stats',
  'GET /api/admin/health',
  'POST /api/admin/settings',
  'GET /api/admin/settings/:key',
  'DELETE /api/admin/settings/:key',
  'POST /api/admin/users',
  'POST /api/admin/api-configs',
  'GET /api/admin/tasks',
  'POST /api/admin/tasks',
  'GET /api/admin/audit-logs',
] as const

const AREAS = {
  Trader: (path: string) => path.startsWith('/trader'),
  Admin: (path: string) => path.startsWith('/admin'),
  Help: (path: string) => path === '/docs',
}

/** A journey over our server takes both looks at these, so that one is enough here. */
const LOOKED_AT_OVER_OUR_SERVER = [
  '/admin/database',
  '/admin/components',
  '/admin/features',
  '/admin/adapters',
  '/admin/monitoring',
  '/admin/settings',
  '/admin/database-management',
  '/admin/api-config',
  '/trader',
  '/trader/orders',
  '/trader/market-data',
  '/trader/performance',
  '/trader/alerts',
  '/trader/backtesting',
]

for (const [area, isInArea] of Object.entries(AREAS)) {
  test(`[ROUTE-1] [SHELL-1] [SHELL-3] [SHELL-8] [SHELL-9] [THEME-2] [CALL-6] every screen of ${area} opens from the rail by specified calls only, is accessible and leads back`, async ({
    page,
    backend,
  }) => {
    const main = page.getByRole('main')
    await page.goto('/docs')
    await tourByRail(
      page,
      ROUTE_TABLE.filter(({ path }) => isInArea(path)),
      async ({ path, back }) => {
        await expect(new Shell(page).connection).toHaveText('Online')
        await expectNoThemeSwitch(page)
        if (LOOKED_AT_OVER_OUR_SERVER.includes(path)) await expectStateAccessible(page)
        else await expectAccessible(page, { rail: path === '/docs' })
        await control(main, back?.name ?? '').click()
        await expect(page).toHaveURL(back?.to ?? '')
        // Home has no rail.
        if (back?.to === '/') await page.goto('/docs')
      },
    )
    await new Shell(page).goTo('Home')
    await expectOpened(page, 'Binnacle')
    const unknown = backend.calls().filter(({ status }) => status === 404)
    expect([...new Set(unknown.map(({ path }) => path))]).toEqual(['/api/capabilities'])
    for (const pattern of DOCUMENTED_ONLY) expect(backend.count(pattern), pattern).toBe(0)
  })
}

test('[ROUTE-1] [SHELL-8] [SHELL-9] [THEME-2] home and the page that is not there open and are accessible', async ({
  page,
}) => {
  for (const [path, title] of [
    ['/', 'Binnacle'],
    ['/404', 'Page Not Found'],
  ] as const) {
    await page.goto(path)
    await expectOpened(page, title)
    await expectNoThemeSwitch(page)
    await expectAccessible(page)
  }
})

/** Only the header has one. */
async function expectNoThemeSwitch(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: /theme|dark|light/i })).toHaveCount(0)
  await expect(main.getByLabel(/theme/i)).toHaveCount(0)
}

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
  'of the trader area': /^\/trader/,
  'of the admin area': /^\/admin/,
  'outside both areas': /^\/(docs)?$/,
}

for (const [area, paths] of Object.entries(AREAS)) {
  test(`[ROUTE-1] every address ${area} opens its page, which leads back`, async ({ page }) => {
    for (const { path, title, back } of ROUTE_TABLE.filter((route) => paths.test(route.path))) {
      await test.step(path, async () => {
        await page.goto(path)
        await expectOpened(page, title)
        if (!back) return
        await control(page.getByRole('main'), back.name).click()
        await expect(page).toHaveURL(back.to)
      })
    }
  })
}

test('[SHELL-3] [CALL-6] the rail leads everywhere, quietly and by specified calls only', async ({
  page,
  backend,
}) => {
  await page.goto('/docs')
  await tourByRail(page)
  await new Shell(page).goTo('Home')
  await expectOpened(page, 'Binnacle')
  const unknown = backend.calls().filter(({ status }) => status === 404)
  expect([...new Set(unknown.map(({ path }) => path))]).toEqual(['/api/capabilities'])
  for (const pattern of DOCUMENTED_ONLY) expect(backend.count(pattern), pattern).toBe(0)
})

import { expect, test } from '#fixtures.ts'
import { AdminDashboardPage } from '#pages/admin/admin-dashboard.ts'
import { figure } from '#pages/figure.ts'

const INFO = 'GET /api/engine/info'

test('[ADM-1] [ADM-2] [ADM-3] the title shows Connecting, then whom it is connected to', async ({
  page,
  backend,
}) => {
  const release = backend.hold(INFO)
  const admin = new AdminDashboardPage(page)
  await admin.open()
  await expect(admin.connectionState).toHaveText('Connecting...')
  await expect(admin.toasts.all).toHaveCount(0)
  release()
  await expect(admin.connectionState).toHaveText('Connected: TRADER-001')
  await expect(admin.toasts.ofType('success', 'Connected to trading engine')).toBeVisible()
})

for (const [state, disturb] of [
  ['answers 500', 'fail'],
  ['is gone', 'drop'],
] as const) {
  test(`[ADM-4] [CLIENT-8] an engine that ${state} is Disconnected at the first failure`, async ({
    page,
    backend,
  }) => {
    backend[disturb](INFO)
    const admin = new AdminDashboardPage(page)
    await page.clock.install()
    await admin.open()
    await expect(admin.connectionState).toHaveText('Disconnected')
    await expect(admin.toasts.ofType('error', 'Failed to connect to trading engine API')).toBeVisible()
    await page.clock.fastForward(60_000)
    expect(backend.count(INFO)).toBe(1)
  })
}

test('[CLIENT-1] an engine that is silent for 30 s counts as failed', async ({ page, backend }) => {
  backend.hang(INFO)
  const admin = new AdminDashboardPage(page)
  await page.clock.install()
  await admin.open()
  await backend.called(INFO)
  await page.clock.fastForward(29_000)
  await expect(admin.connectionState).toHaveText('Connecting...')
  await page.clock.fastForward(2_000)
  await expect(admin.connectionState).toHaveText('Disconnected')
  await backend.abandoned(INFO)
})

test('[ADM-5] Refresh asks the engine again, slow as it may be', async ({ page, backend }) => {
  const admin = new AdminDashboardPage(page)
  await admin.open()
  await expect(admin.connectionState).toHaveText('Connected: TRADER-001')
  backend.state.engine.trader_id = 'TRADER-002'
  backend.delay(INFO, 3_000)
  await admin.control('Refresh').click()
  await expect(admin.connectionState).toHaveText('Connected: TRADER-002')
  expect(backend.count(INFO)).toBe(2)
})

test('[ADM-6] four static cards', async ({ page }) => {
  const admin = new AdminDashboardPage(page)
  await admin.open()
  await expect(figure(admin.main, 'Total Operations')).toHaveText('140+')
  await expect(figure(admin.main, 'Admin Pages')).toHaveText('8')
  await expect(figure(admin.main, 'API Endpoints')).toHaveText('15+')
  await expect(figure(admin.main, 'Status')).toHaveText('Live')
})

test('[ADM-7] ten cards lead on, /admin/positions included', async ({ page }) => {
  const admin = new AdminDashboardPage(page)
  await admin.open()
  const targets = await admin.cardLinks.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(targets.filter((target) => target !== '/')).toEqual([
    '/admin/database',
    '/admin/components',
    '/admin/features',
    '/admin/adapters',
    '/admin/monitoring',
    '/admin/settings',
    '/admin/api-config',
    '/admin/db-management',
    '/admin/positions',
    '/docs',
  ])
  await admin.cardLinks.and(page.locator('[href="/admin/positions"]')).click()
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})

test('[ADM-8] [TOAST-1] Test Notification shows a test message', async ({ page }) => {
  const admin = new AdminDashboardPage(page)
  await admin.open()
  await admin.control('Test Notification').click()
  await expect(admin.toasts.ofType('info', /test/i)).toBeVisible()
})

import { freezeTime, tick, tickUntilShown } from '#clock.ts'
import { expect, test } from '#fixtures.ts'
import { AdminDashboardPage } from '#pages/admin/admin-dashboard.ts'
import { figure } from '#pages/figure.ts'
import { EDGE } from '#tier.ts'

const INFO = 'GET /api/engine/info'

test(
  '[ADM-1] [ADM-2] [ADM-3] the title shows Connecting, then the trader it is connected to',
  EDGE,
  async ({ page, backend }) => {
    const release = backend.hold(INFO)
    const admin = new AdminDashboardPage(page)
    await admin.open()
    await expect(admin.connectionState).toHaveText('Connecting...')
    await expect(admin.toasts.all).toHaveCount(0)
    release()
    await expect(admin.connectionState).toHaveText('Connected: TRADER-001')
    await expect(admin.toasts.ofType('success', 'Connected to trading engine')).toBeVisible()
  },
)

for (const [state, mode] of [
  ['answers 500', 'fail'],
  ['is gone', 'drop'],
] as const) {
  test(
    `[ADM-4] [CLIENT-8] an engine that ${state} is Disconnected at the first failure`,
    EDGE,
    async ({ page, backend }) => {
      backend[mode](INFO)
      const admin = new AdminDashboardPage(page)
      await page.clock.install()
      await admin.open()
      await expect(admin.connectionState).toHaveText('Disconnected')
      await expect(admin.toasts.ofType('error', 'Failed to connect to trading engine API')).toBeVisible()
      await page.clock.fastForward(60_000)
      expect(backend.count(INFO)).toBe(1)
    },
  )
}

test('[CLIENT-1] an engine that is silent for 30 s counts as failed', EDGE, async ({ page, backend }) => {
  backend.hang(INFO)
  const admin = new AdminDashboardPage(page)
  const release = backend.hold('GET /config.json')
  await page.clock.install()
  await page.goto(admin.path)
  await freezeTime(page)
  // With the clock frozen before the call starts, its 30 s pass only by ticks.
  release()
  await tickUntilShown(page, admin.main.getByText('Connecting...'))
  await backend.called(INFO)
  await tick(page, 29_000)
  await expect(admin.connectionState).toHaveText('Connecting...')
  await tick(page, 2_000)
  await tickUntilShown(page, admin.main.getByText('Disconnected', { exact: true }))
  await backend.abandoned(INFO)
})

test('[ADM-5] Refresh asks the engine again, slow as it may be', EDGE, async ({ page, backend }) => {
  const admin = new AdminDashboardPage(page)
  await admin.open()
  await expect(admin.connectionState).toHaveText('Connected: TRADER-001')
  backend.state.engine.trader_id = 'TRADER-002'
  const release = backend.hold(INFO)
  await admin.control('Refresh').click()
  await backend.called(INFO, { times: 2 })
  release()
  await expect(admin.connectionState).toHaveText('Connected: TRADER-002')
  expect(backend.count(INFO)).toBe(2)
})

test('[ADM-6] [ADM-8] [TOAST-1] [ADM-5] [ADM-7] static cards, a test message, Refresh, and ten cards that lead on', async ({
  page,
  backend,
}) => {
  const admin = new AdminDashboardPage(page)
  await admin.open()
  await test.step('four static cards', async () => {
    await expect(figure(admin.main, 'Total Operations')).toHaveText('140+')
    await expect(figure(admin.main, 'Admin Pages')).toHaveText('8')
    await expect(figure(admin.main, 'API Endpoints')).toHaveText('15+')
    await expect(figure(admin.main, 'Status')).toHaveText('Live')
  })
  await test.step('Test Notification shows a test message', async () => {
    await admin.control('Test Notification').click()
    await expect(admin.toasts.ofType('info', /test/i)).toBeVisible()
  })
  await test.step('Refresh asks the engine again', async () => {
    backend.state.engine.trader_id = 'TRADER-002'
    await admin.control('Refresh').click()
    await expect(admin.connectionState).toHaveText('Connected: TRADER-002')
  })
  await test.step('ten cards lead on, /admin/positions included', async () => {
    const targets = await admin.cardLinks.evaluateAll((links) =>
      links.map((link) => link.getAttribute('href')),
    )
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
})

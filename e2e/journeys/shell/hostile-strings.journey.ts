import type { Locator } from '@playwright/test'
import { expect, test } from '#fixtures.ts'
import { AdminDashboardPage } from '#pages/admin/admin-dashboard.ts'
import { AdminDatabasePage } from '#pages/admin/admin-database.ts'
import { ApiConfigurationPage } from '#pages/admin/api-configuration.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { MaintenancePage } from '#pages/admin/maintenance.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { StrategiesPage } from '#pages/trader/strategies.ts'
import { TraderDashboardPage } from '#pages/trader/trader-dashboard.ts'
import { EDGE } from '#tier.ts'

test.use({ seed: 'hostile' })

test.afterEach(async ({ page }) => {
  expect(await page.evaluate(() => '__xss' in window)).toBe(false)
  await expect(page.locator('img[src="x"], svg[onload]')).toHaveCount(0)
})

test('[SHELL-10] the dashboards show hostile strings as text', EDGE, async ({ page, backend }) => {
  const admin = new AdminDashboardPage(page)
  await admin.open()
  await expectText(admin.main, [`Connected: ${backend.state.engine.trader_id}`])
  const trader = new TraderDashboardPage(page)
  await trader.open()
  const { trader_id: id, engine_type: type, status } = backend.state.engine
  await expectText(trader.main, [id, type, status])
  const components = backend.state.components.map(({ id: _, ...shown }) => shown)
  await expectText(trader.main, components.flatMap(stringsOf))
})

test('[SHELL-10] orders, positions and strategies show hostile strings as text', async ({
  page,
  backend,
}) => {
  for (const [screen, shown] of [
    [new OrdersPage(page), backend.state.orders.flatMap(stringsOf)],
    [new PositionsPage(page), backend.state.positions.flatMap(stringsOf)],
    [
      new StrategiesPage(page),
      backend.state.strategies.flatMap(({ name, type, description, status }) => [
        name,
        type,
        description,
        status,
      ]),
    ],
  ] as const) {
    await screen.open()
    await expectText(screen.main, shown)
  }
})

test('[SHELL-10] a message from the server is shown as text', async ({ page, backend }) => {
  const message = '<img src=x onerror=window.__xss=1> done'
  backend.reply('POST /api/database/backup', { body: { message } })
  const maintenance = new MaintenancePage(page)
  await maintenance.open()
  await maintenance.action('PostgreSQL', 'Backup Database').click()
  await expect(maintenance.toasts.saying(message)).toBeVisible()
})

test(
  '[SHELL-10] the admin database shows hostile strings as text, and saves under a hostile key',
  EDGE,
  async ({ page, backend }) => {
    const database = new AdminDatabasePage(page)
    const { settings, users, configs } = backend.state
    await database.open()
    const shownOfUsers = users.flatMap(({ username, email, role }) => [username, email, role])
    const shownOfConfigs = configs.flatMap(({ name, endpoint }) => [name, endpoint])
    await expectText(database.main, [...settings.flatMap(stringsOf), ...shownOfUsers, ...shownOfConfigs])
    const key = settings[1]?.key ?? ''
    await database.edit(key, '<b>bold</b>')
    await database.finish(key, 'Save')
    await expect(database.toasts.saying(`Setting '${key}' updated!`)).toBeVisible()
    expect(backend.state.settings[1]?.value).toBe('<b>bold</b>')
  },
)

test('[SHELL-10] API configuration shows hostile strings as text', EDGE, async ({ page, backend }) => {
  const api = new ApiConfigurationPage(page)
  const [service] = backend.state.services
  await api.openWith(service?.name ?? '')
  await expectText(api.main, backend.state.services.flatMap(stringsOf))
  const routes = backend.state.routes.filter(({ api_endpoint_id: id }) => id === service?.id)
  await expectText(api.main, routes.flatMap(stringsOf))
})

test('[SHELL-10] database management shows hostile strings as text', async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  const connection = backend.state.connections[0]
  const store = backend.state.stores.get('1')
  const table = store?.tables[1]
  if (!connection || !store || !table) throw new Error('the seed has a connection with tables')
  await databases.openAt(connection.name, 'Tables')
  await expectText(databases.main, [connection.name, connection.type, connection.database_name])
  await databases.chooseTable(table.name)
  await expectText(databases.main, [...table.columns.flatMap(stringsOf), ...table.rows.flatMap(stringsOf)])
  await databases.tab('Query').click()
  await expectText(databases.main, store.history.slice(0, 10).flatMap(stringsOf))
  await databases.tab('Backups').click()
  await expectText(databases.main, store.backups.flatMap(stringsOf))
})

async function expectText(scope: Locator, texts: readonly string[]): Promise<void> {
  for (const text of texts) await expect(scope, text).toContainText(text)
}

function stringsOf(entity: object): string[] {
  return Object.values(entity).filter((value) => typeof value === 'string')
}

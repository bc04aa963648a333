import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AdaptersPage } from '#pages/admin/adapters.ts'
import { AdminDashboardPage } from '#pages/admin/admin-dashboard.ts'
import { AdminDatabasePage } from '#pages/admin/admin-database.ts'
import { ApiConfigurationPage } from '#pages/admin/api-configuration.ts'
import { ComponentsPage } from '#pages/admin/components.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { FeaturesPage } from '#pages/admin/features.ts'
import { MaintenancePage } from '#pages/admin/maintenance.ts'
import { MonitoringPage } from '#pages/admin/monitoring.ts'
import { SettingsPage } from '#pages/admin/settings.ts'
import { expect, test } from '#store-fixtures.ts'

/** Every store is worked on by a process of its own, one after the other; a busy machine takes minutes for all. */
const WORK = { timeout: 300_000 }

interface Status {
  kind: string
  last_backup: string | null
  last_optimized: string | null
}

test('[MAINT-6] [MAINT-11] [MAINT-12] [MAINT-13] [MAINT-14] [MAINT-22] [OPS-7] real stores are backed up, restored, optimised, cleaned and flushed; stopped, they are named on every admin screen', async ({
  page,
  server,
  stores,
  watch,
}) => {
  test.skip(stores === undefined, 'there is no PostgreSQL or no Redis on this machine')
  if (stores === undefined) return
  // Programs are started for every store, and a machine may be busy with other tests.
  test.slow()
  watch.allowErrors(/Failed to load resource.*502/)
  await stores.postgres.run('CREATE TABLE fills AS SELECT n FROM generate_series(1, 1000) n')
  for (const key of ['binnacle:quotes', 'binnacle:marks', 'theirs']) await stores.redis.run(`SET ${key} 1`)

  const maintenance = new MaintenancePage(page)
  await maintenance.open()
  const says = (type: 'success' | 'error', text: RegExp) =>
    expect(maintenance.toasts.ofType(type, text).first()).toBeVisible(WORK)
  const stored = async (kind: string): Promise<Status | undefined> => {
    const { stores: listed } = await (await page.request.get('/api/database/status')).json()
    return listed.find((one: Status) => one.kind === kind)
  }
  expect((await stored('postgresql'))?.last_backup).toBeNull()
  await maintenance.action('PostgreSQL', 'Backup Database').click()
  await says('success', /^PostgreSQL backed up: [\d.]+ KB, as backup \d+$/)
  expect((await stored('postgresql'))?.last_backup).not.toBeNull()
  await test.step('Restore on the card puts the rows back', async () => {
    await stores.postgres.run('DELETE FROM fills')
    await maintenance
      .card('PostgreSQL')
      .getByRole('button', { name: /^Restore backup/ })
      .click()
    await maintenance.restoreQuestion.yes()
    await says('success', /^Database restored successfully$/)
    await stores.postgres.run(`DO $$ BEGIN ASSERT (SELECT count(*) FROM fills) = 1000; END $$`)
  })
  await maintenance.action('PostgreSQL', 'Optimize Tables').click()
  await maintenance.optimizeQuestion('PostgreSQL').yes()
  await says('success', /^PostgreSQL: 1 tables optimised, [\d.]+ MB before and [\d.]+ MB after$/)
  await maintenance.action('Redis', 'View Stats').click()
  await expect(maintenance.toasts.ofType('info', /^Redis \S+: 3 keys, /)).toBeVisible()
  await maintenance.action('Redis', 'Flush Cache').click()
  await expect(maintenance.removeQuestion.dialog).toContainText(
    'deletes 2 keys with the prefix "binnacle:" in db0; 1 other key stays',
  )
  await maintenance.removeQuestion.yes()
  await says('success', /^Redis: deleted 2 keys with the prefix "binnacle:" in db0; 1 other key stays$/)
  const stats = await (await page.request.get('/api/nautilus/database/redis-stats')).json()
  expect(stats.keys).toBe(1)
  await test.step('Clean Old Files removes the file of an old month', async () => {
    const old = join(server.dataFolder, 'catalog', 'bars', 'OLDUSDT', '1m', '2020-01.parquet')
    await mkdir(dirname(old), { recursive: true })
    await writeFile(old, 'old')
    await maintenance.action('Parquet', 'Clean Old Files').click()
    await expect(maintenance.removeQuestion.dialog).toContainText('1 file')
    expect(existsSync(old)).toBe(true)
    await maintenance.removeQuestion.yes()
    await expect.poll(() => existsSync(old)).toBe(false)
  })
  await maintenance.action('Maintenance', 'Full Backup').click()
  await says('success', /^7 stores backed up: [\d.]+ [KM]B$/)
  expect((await stored('redis'))?.last_backup).not.toBeNull()
  const optimizedAt = async () => (await stored('postgresql'))?.last_optimized
  const before = await optimizedAt()
  expect(before).not.toBeNull()
  await maintenance.action('Maintenance', 'Optimize All').click()
  await maintenance.optimizeQuestion('all databases').yes()
  await expect.poll(optimizedAt, WORK).not.toBe(before)

  const connection = { name: 'Stopped', type: 'postgresql', database_name: 'postgres' }
  await page.request.post('/api/db/connections', {
    data: { ...connection, connection_string: stores.postgres.url },
  })
  await stores.postgres.stop()
  await stores.redis.stop()
  await maintenance.action('PostgreSQL', 'Backup Database').click()
  await says('error', /^Failed to backup PostgreSQL/)
  await expect(page.getByText(/PostgreSQL cannot be reached/).first()).toBeVisible()
  await maintenance.action('Redis', 'Flush Cache').click()
  await says('error', /^Failed to clean Redis/)
  await expect(page.getByText(/Redis cannot be reached/).first()).toBeVisible()
  const exportedAt = async () => (await stored('parquet'))?.last_backup
  const earlier = await exportedAt()
  await maintenance.action('Parquet', 'Export Catalog').click()
  await says('success', /^Binnacle market data backed up: /)
  expect(await exportedAt()).not.toBe(earlier)

  const missing = /Connection refused: no server is listening at 127\.0\.0\.1:\d+|cannot be reached/
  await test.step('every admin screen stays usable and names what is missing', async () => {
    for (const screen of [
      new AdminDatabasePage(page),
      new AdaptersPage(page),
      new ApiConfigurationPage(page),
      new ComponentsPage(page),
      new FeaturesPage(page),
      new MonitoringPage(page),
      new SettingsPage(page),
    ]) {
      await screen.open()
      await expect(screen.main.getByText(/^Loading/)).toHaveCount(0)
      await expect(screen.control('Back')).toBeEnabled()
    }
    await maintenance.open()
    for (const card of ['PostgreSQL', 'Redis']) await expect(maintenance.card(card)).toContainText(missing)
    const dashboard = new AdminDashboardPage(page)
    await dashboard.open()
    for (const store of ['PostgreSQL', 'Redis']) {
      const fact = dashboard.card('Stores').getByText(store, { exact: true }).locator('xpath=..')
      await expect(fact).toContainText('cannot be reached')
    }
    const databases = new DatabaseManagementPage(page)
    await databases.open()
    await databases.connect('Stopped')
    await expect(databases.main.getByText(missing).first()).toBeVisible()
    await databases.connect('Binnacle admin')
    await databases.chooseTable('settings')
    await expect(databases.schema).toBeVisible()
  })
})

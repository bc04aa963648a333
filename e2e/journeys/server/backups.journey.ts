import type { Page } from '@playwright/test'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { MaintenancePage } from '#pages/admin/maintenance.ts'
import { control } from '#pages/control.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

test('[DB-20] [DB-23] [DB-24] [BACKUP-5] [BACKUP-17] a database is backed up, changed and restored on our server, and elsewhere', async ({
  page,
}) => {
  test.slow()
  const databases = await openLedger(page, 'Ledger to restore')
  await run(databases, 'CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT)')
  await run(databases, "INSERT INTO trades (symbol) VALUES ('BTCUSDT'), ('ETHUSDT')")

  await databases.tab('Backups').click()
  await databases.control('Create Backup').click()
  await expect(databases.toasts.ofType('info', 'Creating backup...')).toBeVisible()
  await expect(databases.toasts.ofType('success', 'Backup created: 8 KB')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'full' })
  await expect(row).toContainText('completed')

  await databases.tab('Query').click()
  await run(databases, 'DELETE FROM trades WHERE id = 1')
  await databases.tab('Backups').click()
  await control(row, 'Restore').click()
  await databases.restoreQuestion.yes()
  await expect(databases.toasts.ofType('success', 'Database restored successfully')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'safety' })).toContainText('completed')

  await databases.tab('Tables').click()
  await databases.chooseTable('trades')
  await expect(databases.rows.filter({ hasText: 'BTCUSDT' })).toBeVisible()

  // An edit closes the store, and what is still being loaded from it is refused.
  await expect(databases.schema.getByRole('row')).toHaveCount(3)

  await test.step('the connection gets another file, and the backup is restored over it by its name', async () => {
    await databases.control('Edit').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Connection' })
    await dialog.getByLabel('Connection String').fill('ledger-elsewhere.sqlite')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(databases.toasts.ofType('success', 'Connection updated successfully')).toBeVisible()
    await databases.tab('Query').click()
    await run(databases, 'CREATE TABLE notes AS SELECT 1 AS one')
    await databases.tab('Backups').click()
    await control(row, 'Restore').click()
    const question = page.getByRole('dialog', { name: 'Restore over another database?' })
    await expect(question.getByRole('button', { name: 'Restore' })).toBeDisabled()
    const consequence = await question.getByText(/^Restoring it here replaces all data of /).textContent()
    const [, replaced = ''] = /all data of (.+ledger-elsewhere\.sqlite)\.$/.exec(consequence ?? '') ?? []
    await question.getByRole('textbox', { name: 'Type the database to replace' }).fill(replaced)
    await question.getByRole('button', { name: 'Restore' }).click()
    await expect(question).toHaveCount(0)
    await databases.tab('Tables').click()
    await databases.chooseTable('trades')
    await expect(databases.rows.filter({ hasText: 'BTCUSDT' })).toBeVisible()
  })
})

test(
  '[BACKUP-7] [BACKUP-13] [DB-26] a store of our own is backed up, and names the command that restores it',
  EDGE,
  async ({ page }) => {
    const databases = new DatabaseManagementPage(page)
    await databases.openAt('Binnacle admin', 'Backups')
    await databases.control('Create Backup').click()
    await expect(databases.toasts.ofType('success', /^Backup created: [\d.]+ KB$/)).toBeVisible()
    await expect(control(page.getByRole('row').filter({ hasText: 'full' }).first(), 'Restore')).toBeDisabled()
    await expect(page.getByText(/npm run restore/)).toBeVisible()
  },
)

test(
  '[MAINT-6] [MAINT-9] maintenance says what to set, and does what it can',
  EDGE,
  async ({ page, watch }) => {
    watch.allowErrors(/Failed to load resource.*409/)
    const maintenance = new MaintenancePage(page)
    await maintenance.open()
    await maintenance.action('PostgreSQL', 'Backup Database').click()
    await expect(maintenance.toasts.ofType('error', /Failed to backup PostgreSQL/)).toBeVisible()
    await expect(page.getByText(/Set BINNACLE_POSTGRES_URL/).first()).toBeVisible()
    await maintenance.action('Redis', 'Flush Cache').click()
    await expect(maintenance.toasts.ofType('error', /Failed to clean Redis/)).toBeVisible()
    await expect(page.getByText(/Set BINNACLE_REDIS_URL/).first()).toBeVisible()
    await maintenance.action('Parquet', 'Export Catalog').click()
    await expect(maintenance.toasts.ofType('success', /^Binnacle market data backed up: /)).toBeVisible()
    await maintenance.action('Parquet', 'Clean Old Files').click()
    const nothing = 'Binnacle market data: no file is older than 400 days'
    await expect(maintenance.removeQuestion.dialog).toContainText(nothing)
    await maintenance.removeQuestion.yes()
    await expect(maintenance.toasts.ofType('success', nothing)).toBeVisible()
  },
)

async function openLedger(page: Page, name: string): Promise<DatabaseManagementPage> {
  const databases = new DatabaseManagementPage(page)
  await databases.open()
  await databases.control('Add Connection').click()
  const { addDialog } = databases
  await addDialog.getByLabel('Name', { exact: true }).fill(name)
  await addDialog.getByLabel('Type').selectOption('sqlite')
  await addDialog.getByLabel('Connection String').fill('ledger-to-restore.sqlite')
  await addDialog.getByLabel('Writable').check()
  await addDialog.getByRole('button', { name: 'Add Connection' }).click()
  await expect(databases.toasts.ofType('success', 'Connection added successfully')).toBeVisible()
  await databases.connect(name)
  await databases.tab('Query').click()
  return databases
}

async function run(databases: DatabaseManagementPage, statement: string): Promise<void> {
  await databases.execute(statement)
  await expect(databases.history.first()).toContainText(statement.slice(0, 20))
}

import { expect, test } from '#fixtures.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { EDGE } from '#tier.ts'

const QUERY = 'POST /api/db/:conn/query'
const BACKUP = 'POST /api/db/:conn/backup'
const RESTORE = 'POST /api/db/:conn/restore/:backup'

test('[DB-14] [DB-16] [DB-18] a query shows its rows and enters the history', async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await expect(databases.history).toHaveCount(10)
  await expect(databases.history.first()).toContainText('SELECT 12 FROM trades')
  await databases.execute('SELECT * FROM trades')
  expect((await backend.called('POST /api/db/1/query')).body).toEqual({ query: 'SELECT * FROM trades' })
  await expect(databases.toasts.ofType('success', 'Query executed in 0.012s')).toBeVisible()
  await expect(databases.result.getByRole('row')).toHaveCount(6)
  await expect(databases.history).toHaveCount(10)
  await expect(databases.history.first()).toContainText('SELECT * FROM trades')
  await test.step('a long value is opened whole', async () => {
    backend.reply(QUERY, { body: { success: true, execution_time: 0, rows: [{ note: 'x'.repeat(130) }] } })
    await databases.control('Execute').click()
    await databases.result.getByRole('button', { name: 'x'.repeat(120), exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('x'.repeat(130))
  })
})

test('[DB-15] a blank query sends nothing', EDGE, async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.editor.waitFor()
  await databases.control('Execute').click()
  await databases.execute('  \n ')
  expect(backend.count(QUERY)).toBe(0)
  await expect(databases.toasts.all).toHaveCount(0)
})

test('[DB-17] a refused query and a failed call say different things', EDGE, async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.execute('SELECT * FROM nowhere')
  await expect(databases.toasts.ofType('error', 'Query failed: no such table: nowhere')).toBeVisible()
  for (const mode of ['fail', 'drop'] as const) {
    backend[mode](QUERY)
    await databases.control('Execute').click()
    await expect(databases.toasts.ofType('error', 'Failed to execute query').first()).toBeVisible()
  }
})

test('[DB-19] [DB-22] [FMT-3] [DB-23] [DB-24] [DB-20] [DB-21] [TOAST-8] backups are listed, restored after a question, and made', async ({
  page,
  backend,
}) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Backups')
  await test.step('backups with their sizes; only completed ones can be restored', async () => {
    for (const { path, shows, restorable } of [
      { path: '/backups/ledger-4.db', shows: ['0 B', 'running'], restorable: 0 },
      { path: '/backups/ledger-3.db', shows: ['5.25 MB', 'completed'], restorable: 1 },
      { path: '/backups/ledger-2.db', shows: ['512 B', 'failed'], restorable: 0 },
      { path: '/backups/ledger-1.db', shows: ['20 KB', 'completed'], restorable: 1 },
    ]) {
      for (const text of shows) await expect(databases.backup(path)).toContainText(text)
      await expect(databases.restore(path)).toHaveCount(restorable)
    }
  })
  await test.step('restore asks first: no makes no call, yes restores', async () => {
    await databases.restore('/backups/ledger-1.db').click()
    await databases.restoreQuestion.no()
    expect(backend.count(RESTORE)).toBe(0)
    await databases.restore('/backups/ledger-1.db').click()
    await databases.restoreQuestion.yes()
    await backend.called('POST /api/db/1/restore/1')
    await expect(databases.toasts.ofType('success', 'Database restored successfully')).toBeVisible()
  })
  await test.step("a backup is announced as 'Creating backup...' and reported in KB", async () => {
    const release = backend.hold(BACKUP)
    await databases.control('Create Backup').click()
    await expect(databases.toasts.ofType('info', 'Creating backup...')).toBeVisible()
    release()
    await expect(databases.toasts.ofType('success', 'Backup created: 1500.5 KB')).toBeVisible()
    await expect(databases.backup('/backups/manual-5.db')).toContainText('1.47 MB')
  })
})

for (const mode of ['fail', 'drop'] as const) {
  test(
    `[DB-21] [DB-24] a backup and a restore that fail say so (${mode})`,
    EDGE,
    async ({ page, backend }) => {
      backend[mode](BACKUP)
      backend[mode](RESTORE)
      const databases = new DatabaseManagementPage(page)
      await databases.openAt('Orders ledger', 'Backups')
      await databases.control('Create Backup').click()
      await expect(databases.toasts.ofType('error', 'Failed to create backup')).toBeVisible()
      await databases.restore('/backups/ledger-1.db').click()
      await databases.restoreQuestion.yes()
      await expect(databases.toasts.ofType('error', 'Failed to restore backup')).toBeVisible()
    },
  )
}

test(
  '[DB-25] success: false says neither that it worked nor that it failed',
  EDGE,
  async ({ page, backend }) => {
    backend.reply(BACKUP, { body: { success: false } })
    backend.reply(RESTORE, { body: { success: false } })
    const databases = new DatabaseManagementPage(page)
    await databases.openAt('Orders ledger', 'Backups')
    await databases.restore('/backups/ledger-1.db').click()
    await databases.restoreQuestion.yes()
    await backend.called(RESTORE)
    await databases.control('Create Backup').click()
    await backend.called(BACKUP)
    await expect(databases.control('Create Backup')).toBeEnabled()
    await expect(databases.toasts.all).toHaveText([/Creating backup\.\.\./])
  },
)

test.describe('with nothing in it', () => {
  test.use({ seed: 'empty' })

  test('[DB-2] a page without connections still says what to do', EDGE, async ({ page }) => {
    const databases = new DatabaseManagementPage(page)
    await databases.open()
    await expect(
      databases.main.getByText('Select a database connection to start', { exact: true }),
    ).toBeVisible()
    await expect(databases.control('Add Connection')).toBeVisible()
  })
})

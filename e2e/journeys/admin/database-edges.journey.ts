import { expectAccessible, expectNoViolations, expectStateAccessible } from '#axe.ts'
import { expect, test } from '#fixtures.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { rememberTheme } from '#pages/theme.ts'
import { EDGE } from '#tier.ts'

const STATEMENT = "SELECT id, 'a' AS letter, 42 FROM trades -- all of them\nWHERE note IS NOT NULL"

test(
  '[SHELL-9] [THEME-2] axe finds nothing on tables, queries, backups and the form, in both themes',
  EDGE,
  async ({ page }) => {
    const databases = new DatabaseManagementPage(page)
    await databases.openAt('Orders ledger', 'Tables')
    await databases.chooseTable('instruments')
    await expect(databases.pager).toHaveText('Page 1 / 1')
    await expectAccessible(page)
    await databases.tab('Query').click()
    await databases.execute(STATEMENT)
    await expect(databases.result.getByRole('row')).toHaveCount(6)
    await expectStateAccessible(page)
    await expect(databases.editor).toContainText('SELECT id')
    await databases.tab('Backups').click()
    await expect(databases.backup('/backups/ledger-1.db')).toBeVisible()
    await expectStateAccessible(page)
    await databases.control('Add Connection').click()
    await databases.addDialog.waitFor()
    await expectStateAccessible(page)
  },
)

for (const theme of ['light', 'dark'] as const) {
  test(`[SHELL-9] axe finds nothing on the list of completions, ${theme}`, EDGE, async ({ page }) => {
    await rememberTheme(page, theme)
    const databases = new DatabaseManagementPage(page)
    await databases.openAt('Orders ledger', 'Query')
    await databases.editor.click()
    await page.keyboard.type('SELECT * FROM tr')
    await databases.completion('trades').waitFor()
    // The arrow keys move through the list from the editor, which axe cannot know.
    await expectNoViolations(page, { except: ['scrollable-region-focusable'] })
  })
}

test('[DB-8] the page before stays while the next one takes its time', EDGE, async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Tables')
  await databases.chooseTable('trades')
  await expect(databases.rows).toHaveCount(51)
  const release = backend.hold('GET /api/db/1/tables/trades/data')
  await databases.control('Next').click()
  await expect(databases.pager).toHaveText('Page 2 / 3')
  await expect(databases.rows.nth(2)).toContainText('trade 2')
  await expect(databases.main.getByText(/^Loading/)).toHaveCount(0)
  release()
  await expect(databases.rows.nth(2)).toContainText('trade 52')
})

test('[DB-11] the address leads back to the page of a table', EDGE, async ({ page }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Tables')
  await databases.chooseTable('trades')
  await databases.control('Next').click()
  await expect(databases.rows.nth(2)).toContainText('trade 52')
  await page.reload()
  await expect(databases.pager).toHaveText('Page 2 / 3')
  await databases.chooseTable('instruments')
  await expect(databases.pager).toHaveText('Page 1 / 1')
  await page.goBack()
  await expect(databases.pager).toHaveText('Page 2 / 3')
})

test('[DB-9] a table without rows has one page', EDGE, async ({ page }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Tables')
  await databases.chooseTable('quiet_days')
  await expect(databases.pager).toHaveText('Page 1 / 1')
  await expect(databases.control('Prev')).toBeDisabled()
  await expect(databases.control('Next')).toBeDisabled()
})

test('[DB-20] a double click takes one backup', EDGE, async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Backups')
  await databases.control('Create Backup').dblclick()
  await expect(databases.toasts.ofType('success', 'Backup created: 1500.5 KB')).toBeVisible()
  expect(backend.count('POST /api/db/:conn/backup')).toBe(1)
})

test(
  '[DB-13] a server that goes away keeps what is shown and says what failed',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/Failed to fetch/)
    const databases = new DatabaseManagementPage(page)
    await databases.openAt('Orders ledger', 'Tables')
    await databases.chooseTable('trades')
    await expect(databases.rows).toHaveCount(51)
    backend.goAway()
    await databases.control('Refresh').click()
    await expect(databases.toasts.ofType('error', 'Failed to load connections')).toHaveCount(1)
    await expect(databases.rows).toHaveCount(51)
    await databases.tab('Backups').click()
    await expect(databases.toasts.ofType('error', 'Failed to load backups')).toBeVisible()
    await databases.tab('Query').click()
    await databases.execute('SELECT 1')
    await expect(databases.toasts.ofType('error', 'Failed to execute query')).toBeVisible()
    expect(backend.count('POST /api/db/:conn/query')).toBe(1)
  },
)

test(
  '[CLIENT-12] what the server says for the person stands below the message',
  EDGE,
  async ({ page, backend }) => {
    const problem = {
      type: 'about:blank',
      title: 'This connection is read-only',
      status: 403,
      code: 'store.read-only',
    }
    const headers = { 'content-type': 'application/problem+json' }
    backend.reply('POST /api/db/:conn/backup', { status: 403, text: JSON.stringify(problem), headers })
    const databases = new DatabaseManagementPage(page)
    await databases.openAt('Orders ledger', 'Backups')
    await databases.control('Create Backup').click()
    const toast = databases.toasts.ofType('error', 'Failed to create backup')
    await expect(toast).toContainText('This connection is read-only')
  },
)

import { expect, test } from '#fixtures.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { EDGE } from '#tier.ts'

const EDITOR_FILE = /sql-editor/

test('[DB-14] the editor is loaded when the Query tab opens, and not before', EDGE, async ({ page }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Backups')
  await expect(databases.backup('/backups/ledger-1.db')).toBeVisible()
  expect(loaded.filter((url) => EDITOR_FILE.test(url))).toEqual([])
  await databases.tab('Query').click()
  await expect(databases.editor).toBeVisible()
  expect(loaded.filter((url) => EDITOR_FILE.test(url)).length).toBeGreaterThan(0)
})

test('[DB-14] typing completes tables and columns, and Ctrl-Enter executes', async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.editor.click()
  await page.keyboard.type('SELECT * FROM instrum')
  await databases.completion('instruments').click()
  await expect(databases.editor).toHaveText('SELECT * FROM instruments')
  await backend.called('GET /api/db/1/tables/instruments/schema')
  await page.keyboard.type(' WHERE instruments.pri')
  await databases.completion('price').click()
  await page.keyboard.press('Control+Enter')
  expect((await backend.called('POST /api/db/1/query')).body).toEqual({
    query: 'SELECT * FROM instruments WHERE instruments.price',
  })
  await expect(databases.result.getByRole('row')).toHaveCount(4)
})

test('[DB-15] Ctrl-Enter on a blank editor sends nothing', EDGE, async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.editor.click()
  await page.keyboard.type('  ')
  await page.keyboard.press('Control+Enter')
  await databases.control('Execute').click()
  expect(backend.count('POST /api/db/:conn/query')).toBe(0)
})

test('Tab indents, and after Esc it leaves the editor', EDGE, async ({ page }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.editor.click()
  await page.keyboard.press('Tab')
  await expect(databases.editor).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(databases.control('Execute')).toBeFocused()
})

test('[DB-18] an entry of the history comes back into the editor', EDGE, async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.history.nth(2).getByRole('button').click()
  await expect(databases.editor).toHaveText('SELECT 10 FROM trades')
  await databases.control('Execute').click()
  expect((await backend.called('POST /api/db/1/query')).body).toEqual({ query: 'SELECT 10 FROM trades' })
})

test('[DB-14] the statement and its result stay while the tables are looked at', EDGE, async ({ page }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.execute('SELECT * FROM trades')
  await expect(databases.result.getByRole('row')).toHaveCount(6)
  await databases.tab('Tables').click()
  await databases.chooseTable('trades')
  await databases.tab('Query').click()
  await expect(databases.editor).toHaveText('SELECT * FROM trades')
  await expect(databases.result.getByRole('row')).toHaveCount(6)
})

test('[DB-14] 100,000 rows are shown as a window over them', EDGE, async ({ page, backend }) => {
  const rows = Array.from({ length: 100_000 }, (_, index) => ({ id: index + 1, note: `row ${index + 1}` }))
  backend.reply('POST /api/db/:conn/query', { body: { success: true, execution_time: 1.25, rows } })
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.execute('SELECT * FROM trades')
  await expect(databases.toasts.ofType('success', 'Query executed in 1.25s')).toBeVisible()
  await expect(databases.result.getByText('row 1', { exact: true })).toBeVisible()
  await expect(databases.result.getByText('100,000 rows')).toBeVisible()
  expect(await databases.result.getByRole('row').count()).toBeLessThan(120)
  await databases.result.getByRole('region').focus()
  await page.keyboard.press('End')
  await expect(databases.result.getByText('row 100000', { exact: true })).toBeVisible()
})

test('[DB-14] rows of any shape are shown as text, null visibly', EDGE, async ({ page, backend }) => {
  const rows = [
    { id: 1, flag: true, nested: { a: [1, 'two'] }, empty: null },
    { id: '9007199254740993', picture: { $blob: 'AAEC', bytes: 2048 } },
  ]
  backend.reply('POST /api/db/:conn/query', { body: { success: true, execution_time: 0, rows } })
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Query')
  await databases.execute('SELECT 1')
  const row = databases.result.getByRole('row')
  await expect(row.nth(0)).toHaveText(/id.*flag.*nested.*empty.*picture/)
  await expect(row.nth(1).getByRole('cell')).toHaveText(['1', 'true', '{"a":[1,"two"]}', 'null', ''])
  await expect(row.nth(2).getByRole('cell')).toHaveText(['9007199254740993', '', '', '', 'blob, 2 KB'])
})

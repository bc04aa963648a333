import { text } from 'node:stream/consumers'
import type { Locator, Page } from '@playwright/test'
import { expectNoViolations } from '#axe.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

const FILL = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 120)
  INSERT INTO trades SELECT i, 'BTCUSDT', 9007199254740990 + i FROM n`

const TRADES = `CREATE TABLE trades AS
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 120)
  SELECT i AS id, iif(i % 2, 'BTC', 'ETH') AS symbol FROM n`

test('[CALL-23] [CALL-25] [CALL-26] a SQLite file is connected, written, browsed and queried', async ({
  page,
}) => {
  const screen = new DatabaseManagementPage(page)
  await connect(screen, 'Journey ledger')
  await expect(screen.connection('Journey ledger')).toContainText('Writable')
  await screen.connect('Journey ledger')
  await screen.tab('Query').click()
  for (const statement of ['CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT, big INTEGER)', FILL]) {
    await screen.execute(statement)
    await expect(screen.toasts.ofType('success', /^Query executed in /).first()).toBeVisible()
    await expect(screen.history.first()).toContainText(statement.slice(0, 12))
  }
  await expect(screen.result).toContainText('120 rows changed')
  await screen.execute('SELECT wrong FROM trades')
  await expect(screen.toasts.ofType('error', 'Query failed: no such column: wrong.')).toBeVisible()
  await expect(screen.history.first()).toContainText('failed')
  await screen.tab('Tables').click()
  await screen.chooseTable('trades')
  await expect(screen.schema.getByRole('row')).toHaveCount(4)
  await expect(screen.pager).toHaveText('Page 1 / 3')
  await screen.control('Next').click()
  await expect(screen.pager).toHaveText('Page 2 / 3')
  await expect(screen.rows.nth(1)).toContainText('51')
  await expect(screen.rows.nth(1)).toContainText('9007199254741041')
  await screen.control('Next').click()
  await expect(screen.rows).toHaveCount(21)
})

test('[STORE-4] a query is explained and saved; a statement that destroys needs the name of its table', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/Failed to load resource.*409/)
  const screen = new DatabaseManagementPage(page)
  await connect(screen, 'Journey scratch')
  await screen.connect('Journey scratch')
  await screen.tab('Query').click()
  await test.step('a statement is formatted, explained and saved', async () => {
    // The editor asks for the columns of a table once it is there; the answer must not cross with the DROP.
    const columns = page.waitForResponse(/\/tables\/notes\/schema$/)
    await screen.execute('CREATE TABLE notes AS SELECT 1 AS one')
    await expect(screen.history).toHaveCount(1)
    await columns
    await screen.editor.fill('select count(*) from notes')
    await screen.control('Format').click()
    await expect(screen.editor).toContainText('FROM notes')
    await screen.control('Explain').click()
    await expect(page.getByRole('region', { name: 'Plan' })).toContainText('SCAN notes')
    await page.getByLabel('Save query as').fill('Count of notes')
    await screen.control('Save').click()
    const saved = page.getByRole('list', { name: 'Saved queries' })
    await expect(saved).toContainText('Count of notes')
    expect(await savedNames(page, 'Journey scratch')).toEqual(['Count of notes'])
    await expectNoViolations(page)
    await saved.getByRole('button', { name: 'Delete Count of notes' }).click()
    await expect(saved).toHaveCount(0)
    expect(await savedNames(page, 'Journey scratch')).toEqual([])
  })
  await test.step('a statement that destroys is executed only with the name of its table', async () => {
    await screen.execute('DROP TABLE notes')
    const question = page.getByRole('dialog', { name: 'Execute this statement?' })
    await expect(question).toContainText(
      `This drops 'notes' or a part of it. Type the table name "notes" to confirm.`,
    )
    await expect(yes(question)).toBeDisabled()
    await question.getByRole('textbox', { name: 'Table name' }).fill('notes')
    await yes(question).click()
    await expect(screen.history).toHaveCount(2)
    await expect(screen.toasts.ofType('error', /./)).toHaveCount(0)
  })
})

test('[STORE-6] an endless query is cancelled, and the connection goes on', EDGE, async ({ page }) => {
  const screen = new DatabaseManagementPage(page)
  await connect(screen, 'Journey endless')
  await screen.connect('Journey endless')
  await screen.tab('Query').click()
  await screen.execute(
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
  )
  await screen.control('Cancel').click()
  await expect(screen.toasts.ofType('error', 'Query failed: The statement was cancelled.')).toBeVisible()
  await screen.execute('SELECT 7 AS seven')
  await expect(screen.result).toContainText('seven')
})

test('[STORE-1] [STORE-3] our own stores are browsed and never written', EDGE, async ({ page }) => {
  const screen = new DatabaseManagementPage(page)
  await screen.openAt('Binnacle admin', 'Query')
  await screen.execute('DELETE FROM users')
  const refused = 'Query failed: This statement changes data, but this connection is read-only.'
  await expect(screen.toasts.ofType('error', refused)).toBeVisible()
  await screen.tab('Tables').click()
  await screen.chooseTable('users')
  await expect(screen.rows.nth(1)).toContainText('admin')
  await expect(screen.schema).not.toContainText('password_hash')
})

test('[CALL-24] the recorded market is browsed as Parquet and queried', EDGE, async ({ page }) => {
  const screen = new DatabaseManagementPage(page)
  await screen.open()
  await screen.connect('Binnacle market data')
  const table = page.getByRole('list', { name: 'Tables' }).getByRole('button').first()
  await expect(table).toBeVisible()
  const name = (await table.textContent()) ?? ''
  await table.click()
  await expect(screen.schema).toContainText('close')
  await expect(screen.rows.nth(1)).toContainText(/\d{4}-\d\d-\d\dT/)
  await screen.tab('Query').click()
  await screen.execute(`SELECT count(*) AS bars FROM "${name}"`)
  await expect(screen.result).toContainText('bars')
  await screen.execute(`COPY (SELECT 1) TO '/tmp/stolen.parquet'`)
  await expect(screen.toasts.ofType('error', /^Query failed: /)).toBeVisible()
})

test('[STORE-5] a whole table is sorted, filtered and exported', async ({ page }) => {
  const screen = new DatabaseManagementPage(page)
  await connect(screen, 'Journey tables')
  await screen.connect('Journey tables')
  await screen.tab('Query').click()
  await screen.execute(TRADES)
  await expect(screen.history).toHaveCount(1)
  await test.step('the result of a query is exported', async () => {
    await screen.editor.fill("SELECT id, symbol FROM trades WHERE symbol = 'BTC' ORDER BY id DESC")
    const saved = page.waitForEvent('download')
    await screen.control('Export').click()
    const result = await text(await (await saved).createReadStream())
    expect(result.split('\r\n').slice(0, 3)).toEqual(['id,symbol', '119,BTC', '117,BTC'])
  })
  await screen.tab('Tables').click()
  await screen.chooseTable('trades')
  await page.getByLabel('Sort by').selectOption('id')
  await page.getByRole('switch', { name: 'Descending' }).check()
  await page.getByLabel('Filter by').selectOption('symbol')
  await page.getByLabel('Value').fill('eth')
  await screen.control('Apply').click()
  await expect(screen.pager).toHaveText('Page 1 / 2')
  await expect(screen.rows.nth(1)).toContainText('120')
  await expectNoViolations(page)
  const download = page.waitForEvent('download')
  await screen.control('Export').click()
  const rows = await text(await (await download).createReadStream())
  expect(rows.split('\r\n').slice(0, 3)).toEqual(['id,symbol', '120,ETH', '118,ETH'])
  expect(rows.split('\r\n')).toHaveLength(62)
})

test('a connection is tested, edited and deleted', async ({ page }) => {
  const screen = new DatabaseManagementPage(page)
  await connect(screen, 'Journey passing')
  // An edit closes the store, and what is still being loaded from it is refused: each load ends first.
  const listed = () => page.waitForResponse(/\/api\/db\/\d+\/tables$/)
  const opened = listed()
  await screen.connect('Journey passing')
  await opened
  await screen.control('Test').click()
  await expect(screen.toasts.ofType('success', /^Connected: SQLite .*, \d+(\.\d+)? ms$/)).toBeVisible()
  await screen.control('Edit').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Connection' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Journey past')
  const reloaded = listed()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(screen.toasts.ofType('success', 'Connection updated successfully')).toBeVisible()
  await reloaded
  await expect(screen.connection('Journey past')).toBeVisible()
  expect(await storedNames(page)).toContain('Journey past')
  await screen.control('Delete').click()
  await page
    .getByRole('dialog', { name: /^Are you sure/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(screen.toasts.ofType('success', 'Connection deleted successfully')).toBeVisible()
  await expect(screen.connection('Journey past')).toHaveCount(0)
  expect(await storedNames(page)).not.toContain('Journey past')
})

/** Adds a writable connection to a file of its own in the server's folder for databases. */
async function connect(screen: DatabaseManagementPage, name: string): Promise<void> {
  await screen.open()
  await screen.control('Add Connection').click()
  const dialog = screen.addDialog
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog.getByRole('textbox', { name: 'Database Name' }).fill('main')
  await dialog.getByRole('textbox', { name: 'Connection String' }).fill(`${name}.sqlite`)
  await dialog.getByRole('switch', { name: 'Writable' }).check()
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText(/^Connected: SQLite /)).toBeVisible()
  expect(await storedNames(screen.page)).not.toContain(name)
  await dialog.getByRole('button', { name: 'Add Connection' }).click()
  await expect(screen.toasts.ofType('success', 'Connection added successfully')).toBeVisible()
  expect(await storedNames(screen.page)).toContain(name)
}

/** The connections as the server has them. */
async function storedNames(page: Page): Promise<string[]> {
  const { connections } = await (await page.request.get('/api/db/connections')).json()
  return connections.map(({ name }: { name: string }) => name)
}

async function savedNames(page: Page, name: string): Promise<string[]> {
  const { connections } = await (await page.request.get('/api/db/connections')).json()
  const { id } = connections.find((connection: { name: string }) => connection.name === name)
  const { queries } = await (await page.request.get(`/api/db/${id}/saved-queries`)).json()
  return queries.map((query: { name: string }) => query.name)
}

function yes(question: Locator): Locator {
  return question.getByRole('button', { name: 'Execute' })
}

import { expect, test } from '#fixtures.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { EDGE } from '#tier.ts'

const DATA = 'GET /api/db/1/tables/trades/data'

test('[DB-1] [DB-2] [DB-3] connections, and the tabs of the chosen one', EDGE, async ({ page }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.open()
  await expect(
    databases.main.getByText('Select a database connection to start', { exact: true }),
  ).toBeVisible()
  await expect(databases.connection('Tick catalog').getByText('Inactive', { exact: true })).toBeVisible()
  await expect(databases.connection('Orders ledger').getByText('Inactive', { exact: true })).toHaveCount(0)
  await databases.connect('Orders ledger')
  await expect(databases.main.getByRole('tab')).toHaveText(['Tables', 'Query', 'Backups'])
  await expect(
    databases.main.getByText('Select a table to view its schema and data', { exact: true }),
  ).toBeVisible()
  await databases.tab('Backups').click()
  await databases.connect('Market warehouse')
  await expect(databases.tab('Tables')).toHaveAttribute('aria-selected', 'true')
})

test('[DB-7] [DB-8] [DB-9] [DB-10] [DB-11] a chosen table shows its columns and rows, in pages of 50', async ({
  page,
  backend,
}) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Tables')
  await test.step('a chosen table shows its columns and rows', async () => {
    await databases.chooseTable('trades')
    await expect(databases.schema.getByRole('row').nth(1)).toContainText('id')
    await expect(databases.schema.getByRole('row').nth(1)).toContainText('INTEGER')
    await expect(databases.schema.getByRole('row')).toHaveCount(5)
    await expect(databases.rows.nth(1)).toContainText('BTCUSDT')
  })
  await test.step('120 rows make three pages of 50', async () => {
    await expect(databases.pager).toHaveText('Page 1 / 3')
    await expect(databases.control('Prev')).toBeDisabled()
    await expect(databases.rows).toHaveCount(51)
    await databases.control('Next').click()
    await expect(databases.pager).toHaveText('Page 2 / 3')
    await expect(databases.control('Prev')).toBeEnabled()
    await databases.control('Next').click()
    await expect(databases.pager).toHaveText('Page 3 / 3')
    await expect(databases.control('Next')).toBeDisabled()
    await expect(databases.rows).toHaveCount(21)
    const searches = backend.calls(DATA).map(({ search }) => search)
    expect(searches).toEqual(['?limit=50&offset=0', '?limit=50&offset=50', '?limit=50&offset=100'])
    await databases.control('Prev').click()
    await expect(databases.pager).toHaveText('Page 2 / 3')
    await databases.chooseTable('instruments')
    await expect(databases.pager).toHaveText('Page 1 / 1')
    await databases.chooseTable('trades')
    await expect(databases.pager).toHaveText('Page 1 / 3')
  })
})

test('[DB-13] each load that fails has its own message', EDGE, async ({ page, backend, watch }) => {
  // The editor asks for table names to complete; without them it only logs.
  watch.allowErrors(/API Error: 500/)
  const databases = new DatabaseManagementPage(page)
  backend.fail('GET /api/db/connections')
  await databases.open()
  await expect(databases.toasts.ofType('error', 'Failed to load connections')).toBeVisible()
  backend.recover()
  backend.fail('GET /api/db/:conn/tables')
  backend.drop('GET /api/db/:conn/query-history')
  backend.drop('GET /api/db/:conn/backups')
  await databases.open()
  await databases.connect('Orders ledger')
  await expect(databases.toasts.ofType('error', 'Failed to load tables')).toBeVisible()
  await databases.tab('Query').click()
  await expect(databases.toasts.ofType('error', 'Failed to load query history')).toBeVisible()
  await databases.tab('Backups').click()
  await expect(databases.toasts.ofType('error', 'Failed to load backups')).toBeVisible()
})

test('[DB-13] schema and data fail apart', EDGE, async ({ page, backend }) => {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Orders ledger', 'Tables')
  backend.fail('GET /api/db/:conn/tables/trades/schema')
  await databases.chooseTable('trades')
  await expect(databases.toasts.ofType('error', 'Failed to load table schema')).toBeVisible()
  await expect(databases.pager).toHaveText('Page 1 / 3')
  backend.fail('GET /api/db/:conn/tables/instruments/data')
  await databases.chooseTable('instruments')
  await expect(databases.toasts.ofType('error', 'Failed to load table data')).toBeVisible()
  await expect(databases.schema).toBeVisible()
})

test('[DB-1] the connections read Loading until they arrive', EDGE, async ({ page, backend }) => {
  const release = backend.hold('GET /api/db/*')
  const databases = new DatabaseManagementPage(page)
  await databases.open()
  await expect(databases.main.getByText(/^Loading/)).toBeVisible()
  release()
  await expect(databases.connection('Orders ledger')).toBeVisible()
})

test('[DB-4] [DB-5] [DB-6] [DB-30] a connection is added; Cancel closes the form, Refresh reads the list again', async ({
  page,
  backend,
}) => {
  const databases = new DatabaseManagementPage(page)
  await databases.open()
  const { addDialog } = databases
  await databases.control('Add Connection').click()
  await addDialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(addDialog).toBeHidden()
  const read = backend.count('GET /api/db/connections')
  await databases.control('Refresh').click()
  await backend.called('GET /api/db/connections', { times: read + 1 })
  expect(backend.count('POST /api/db/connections')).toBe(0)
  await databases.control('Add Connection').click()
  await expect(addDialog.getByLabel('Type').getByRole('option')).toHaveText([
    'sqlite',
    'postgresql',
    'redis',
    'parquet',
  ])
  await addDialog.getByLabel('Name', { exact: true }).fill('Fresh one')
  await addDialog.getByLabel('Type').selectOption('redis')
  await addDialog.getByLabel('Database Name').fill('2')
  const target = addDialog.getByLabel('Connection String')
  await target.fill('redis://localhost:6379/2')
  await expect(target).toHaveAttribute('type', 'password')
  await addDialog.getByRole('button', { name: 'Reveal' }).click()
  await expect(target).toHaveAttribute('type', 'text')
  await addDialog.getByRole('button', { name: 'Add Connection' }).click()
  expect((await backend.called('POST /api/db/connections')).body).toEqual({
    name: 'Fresh one',
    type: 'redis',
    database_name: '2',
    connection_string: 'redis://localhost:6379/2',
  })
  await expect(databases.toasts.ofType('success', 'Connection added successfully')).toBeVisible()
  await expect(databases.connection('Fresh one')).toBeVisible()
})

test(
  '[DB-6] [DB-25] an add that fails says so, success: false says nothing',
  EDGE,
  async ({ page, backend }) => {
    backend.fail('POST /api/db/connections', { times: 1 })
    const databases = new DatabaseManagementPage(page)
    await databases.open()
    await databases.control('Add Connection').click()
    const add = databases.addDialog.getByRole('button', { name: 'Add Connection' })
    await add.click()
    const failed = databases.toasts.ofType('error', 'Failed to add connection')
    await expect(failed).toBeVisible()
    await databases.toasts.close(failed)
    backend.reply('POST /api/db/connections', { body: { success: false } })
    await add.click()
    await backend.called('POST /api/db/connections', { times: 2 })
    await expect(add).toBeEnabled()
    await expect(databases.toasts.all).toHaveCount(0)
  },
)

test('[CLIENT-7] bare arrays are understood', EDGE, async ({ page, backend }) => {
  backend.reply('GET /api/db/connections', {
    body: [{ id: 'main', name: 'Bare', type: 'sqlite', is_active: true }],
  })
  backend.reply('GET /api/db/main/tables', { body: [{ name: 'things' }] })
  backend.reply('GET /api/db/main/tables/things/schema', {
    body: [{ cid: 0, name: 'thing', type: 'TEXT', notnull: true, pk: false }],
  })
  backend.reply('GET /api/db/main/tables/things/data', { body: { rows: [{ thing: 'anchor' }], total: 1 } })
  const databases = new DatabaseManagementPage(page)
  await databases.openAt('Bare', 'Tables')
  await databases.chooseTable('things')
  await expect(databases.schema).toContainText('thing')
  await expect(databases.rows.nth(1)).toContainText('anchor')
})

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { DatabaseManagementPage, type DatabaseTab } from '#pages/admin/database-management.ts'
import { control } from '#pages/control.ts'
import { type Api, nextNumber } from './api.ts'
import type { LostCommand } from './command.ts'

const EXPORT_TIMEOUT_MS = 120_000

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n'

export const DATABASE_COMMANDS: readonly LostCommand[] = [
  {
    name: 'Add Connection',
    call: 'POST /api/db/connections',
    prepare: async () => `Ledger ${nextNumber()}`,
    open: openAddDialog,
    press: (page) =>
      new DatabaseManagementPage(page).addDialog.getByRole('button', { name: 'Add Connection' }).click(),
    says: 'No answer. The connection may have been added',
    count: (api, name) =>
      api.countListed('/api/db/connections', 'connections', (known) => known.name === name),
  },
  {
    name: 'Test before adding a connection',
    call: 'POST /api/db/connections/test',
    prepare: async () => `Ledger ${nextNumber()}`,
    open: openAddDialog,
    press: (page) => new DatabaseManagementPage(page).addDialog.getByRole('button', { name: 'Test' }).click(),
    says: 'No answer. The test changes nothing and can be repeated.',
  },
  {
    name: 'Edit of a connection',
    call: 'PUT /api/db/connections/:conn',
    prepare: addConnection,
    open: async (page, name) => {
      const databases = await openConnection(page, name, 'Tables')
      await databases.control('Edit').click()
    },
    press: (page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click(),
    says: 'No answer. The connection may have been changed',
  },
  {
    name: 'Delete of a connection',
    call: 'DELETE /api/db/connections/:conn',
    prepare: addConnection,
    open: async (page, name) => {
      await openConnection(page, name, 'Tables')
    },
    press: async (page) => {
      await new DatabaseManagementPage(page).control('Delete').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    },
    says: 'No answer. The connection may have been deleted',
  },
  {
    name: 'Test of a connection',
    call: 'POST /api/db/connections/:conn/test',
    prepare: addConnection,
    open: async (page, name) => {
      await openConnection(page, name, 'Tables')
    },
    press: (page) => new DatabaseManagementPage(page).control('Test').click(),
    says: 'No answer. The test changes nothing and can be repeated.',
  },
  {
    name: 'Create Backup',
    call: 'POST /api/db/:conn/backup',
    prepare: addConnection,
    open: async (page, name) => {
      await openConnection(page, name, 'Backups')
    },
    press: (page) => new DatabaseManagementPage(page).control('Create Backup').click(),
    says: 'No answer. The backup may have been created',
    count: async (api, name) => (await backupsOf(api, name)).length,
  },
  {
    name: 'Restore of a backup',
    call: 'POST /api/db/:conn/restore/:backupId',
    prepare: async (api) => {
      const name = await addConnection(api)
      await api.post(`/api/db/${await idOf(api, name)}/backup`)
      return name
    },
    open: async (page, name) => {
      await openConnection(page, name, 'Backups')
    },
    press: async (page) => {
      await control(page.getByRole('row').filter({ hasText: 'full' }), 'Restore').click()
      await new DatabaseManagementPage(page).restoreQuestion.yes()
    },
    says: 'No answer. The backup may have been restored',
    // Each restore takes a safety backup first.
    count: async (api, name) => (await backupsOf(api, name)).length - 1,
  },
  ...(
    [
      ['Format', 'POST /api/db/:conn/format', 'No answer. Nothing was changed.'],
      ['Explain', 'POST /api/db/:conn/explain', 'No answer. Nothing was changed.'],
      ['Export', 'POST /api/db/:conn/export', 'No answer. Nothing was changed.'],
      ['Execute', 'POST /api/db/:conn/query', 'No answer. The statement may have run'],
    ] as const
  ).map(
    ([button, call, says]): LostCommand => ({
      name: `${button} of a query`,
      call,
      ...(button === 'Export' && { timeoutMs: EXPORT_TIMEOUT_MS }),
      prepare: addConnection,
      open: async (page, name) => {
        const databases = await openConnection(page, name, 'Query')
        await databases.editor.fill('SELECT 1 AS one')
      },
      press: (page) => new DatabaseManagementPage(page).control(button).click(),
      says,
    }),
  ),
  {
    name: 'Cancel of a query',
    call: 'POST /api/db/:conn/queries/:queryId/cancel',
    prepare: addConnection,
    open: async (page, name) => {
      const databases = await openConnection(page, name, 'Query')
      await databases.execute(ENDLESS)
    },
    press: (page) => new DatabaseManagementPage(page).control('Cancel').click(),
    says: 'No answer. The statement may have been cancelled',
  },
  {
    name: 'Export of a table',
    call: 'GET /api/db/:conn/tables/:table/export',
    timeoutMs: EXPORT_TIMEOUT_MS,
    prepare: addConnection,
    open: async (page, name) => {
      const databases = await openConnection(page, name, 'Tables')
      await databases.chooseTable('trades')
    },
    press: (page) => new DatabaseManagementPage(page).control('Export').click(),
    says: 'No answer. Nothing was changed.',
  },
  {
    name: 'Save of a query',
    call: 'POST /api/db/:conn/saved-queries',
    prepare: addConnection,
    open: async (page, name) => {
      const databases = await openConnection(page, name, 'Query')
      await databases.editor.fill('SELECT 1 AS one')
      await databases.main.getByPlaceholder('Save query as').fill('One')
    },
    press: (page) => new DatabaseManagementPage(page).control('Save').click(),
    says: 'No answer. The query may have been saved',
    count: async (api, name) =>
      (await api.get(`/api/db/${await idOf(api, name)}/saved-queries`)).queries.length,
  },
  {
    name: 'Delete of a saved query',
    call: 'DELETE /api/db/:conn/saved-queries/:queryId',
    prepare: async (api) => {
      const name = await addConnection(api)
      await api.post(`/api/db/${await idOf(api, name)}/saved-queries`, { name: 'One', query: 'SELECT 1' })
      return name
    },
    open: async (page, name) => {
      await openConnection(page, name, 'Query')
    },
    press: (page) => page.getByRole('button', { name: 'Delete One' }).click(),
    says: 'No answer. The query may have been deleted',
  },
  {
    name: 'Cancel of a job',
    call: 'POST /api/admin/jobs/:id/cancel',
    prepare: startLongJobs,
    open: async (page) => {
      await new DatabaseManagementPage(page).open()
      await page.getByRole('button', { name: /^Jobs/ }).click()
    },
    press: (page, name) =>
      page
        .getByRole('button', { name: `Cancel Back up ${name}` })
        .first()
        .click(),
    says: 'No answer. The job may have been cancelled',
  },
]

/** Backups of one store wait for one another, and each of them waits 5 s for a PostgreSQL that never answers. */
async function startLongJobs(api: Api): Promise<string> {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  silent.unref()
  const name = `Silent ${nextNumber()}`
  // A TCP server has an address of this shape, once it listens.
  const { port } = silent.address() as AddressInfo
  const { id } = await api.post('/api/db/connections', {
    name,
    type: 'postgresql',
    database_name: '',
    connection_string: `postgresql://reader:none@127.0.0.1:${port}/desk`,
    writable: true,
  })
  for (let job = 0; job < 6; job += 1) void api.post(`/api/db/${id}/backup`).catch(() => {})
  const listed = () => api.countListed('/api/admin/jobs', 'jobs', ({ title }) => title === `Back up ${name}`)
  await expect.poll(listed).toBe(6)
  return name
}

async function openAddDialog(page: Page, name: string): Promise<void> {
  const databases = new DatabaseManagementPage(page)
  await databases.open()
  await databases.control('Add Connection').click()
  const { addDialog } = databases
  await addDialog.getByLabel('Name', { exact: true }).fill(name)
  await addDialog.getByLabel('Type').selectOption('sqlite')
  await addDialog.getByLabel('Connection String').fill(fileOf(name))
  await addDialog.getByLabel('Writable').check()
}

async function openConnection(page: Page, name: string, tab: DatabaseTab): Promise<DatabaseManagementPage> {
  const databases = new DatabaseManagementPage(page)
  await databases.openAt(name, tab)
  return databases
}

async function addConnection(api: Api): Promise<string> {
  const name = `Ledger ${nextNumber()}`
  const connection = {
    name,
    type: 'sqlite',
    database_name: '',
    connection_string: fileOf(name),
    writable: true,
  }
  const { id } = await api.post('/api/db/connections', connection)
  await api.post(`/api/db/${id}/query`, { query: 'CREATE TABLE trades (id INTEGER PRIMARY KEY)' })
  return name
}

function fileOf(name: string): string {
  return `${name.toLowerCase().replace(' ', '-')}.sqlite`
}

async function idOf(api: Api, name: string): Promise<string> {
  const { connections } = await api.get('/api/db/connections')
  return connections.find((known: { name: string }) => known.name === name).id
}

async function backupsOf(api: Api, name: string): Promise<unknown[]> {
  return (await api.get(`/api/db/${await idOf(api, name)}/backups`)).backups
}

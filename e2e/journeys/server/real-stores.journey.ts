import type { Page } from '@playwright/test'
import { expect, test } from '#own-store-fixtures.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { control } from '#pages/control.ts'
import { EDGE } from '#tier.ts'

const ASLEEP = `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`

test('[STORE-1] [STORE-6] [BACKUP-5] a PostgreSQL is connected, browsed, queried, backed up and restored', async ({
  page,
  postgres,
}) => {
  test.skip(postgres === undefined, 'there is no PostgreSQL on this machine')
  if (postgres === undefined) return
  await postgres.run('CREATE ROLE desk LOGIN')
  await postgres.run('CREATE DATABASE desk OWNER desk')
  const url = postgres.url.replace('postgres@', 'desk@').replace(/\/postgres$/, '/desk')

  const screen = new DatabaseManagementPage(page)
  await connect(screen, { name: 'Journey desk', type: 'postgresql', url, writable: true })
  await run(
    screen,
    "CREATE TABLE trades AS SELECT n AS id, 'BTCUSDT' AS symbol FROM generate_series(1, 120) n",
  )
  await run(screen, 'ALTER TABLE trades ADD PRIMARY KEY (id)')
  await screen.tab('Tables').click()
  await screen.chooseTable('public.trades')
  await expect(screen.pager).toHaveText('Page 1 / 3')
  await expect(screen.schema).toContainText('integer')
  await screen.control('Next').click()
  await expect(screen.rows.nth(1)).toContainText('51')

  await screen.tab('Query').click()
  await screen.execute('SELECT pg_sleep(3600)')
  await expect(() => postgres.run(fails('NOT EXISTS', ASLEEP))).toPass()
  await screen.control('Cancel').click()
  await expect(screen.toasts.ofType('error', 'Query failed: The statement was cancelled.')).toBeVisible()
  await expect(() => postgres.run(fails('EXISTS', ASLEEP))).toPass()
  await run(screen, 'SELECT count(*) AS trades_there FROM trades')
  await expect(screen.result).toContainText('trades_there')
  await expect(screen.result).toContainText('120')

  await comesBack(page, screen, {
    spoil: 'DELETE FROM trades WHERE id = 51',
    look: "SELECT 'found ' || id AS found FROM trades WHERE id = 51",
    found: 'found 51',
  })
  await connect(screen, { name: 'Journey reader', type: 'postgresql', url, writable: false })
  await isOnlyRead(screen, {
    spoil: 'DELETE FROM trades',
    look: "SELECT 'left ' || count(*) AS left_over FROM trades",
    found: 'left 120',
  })
})

test(
  '[STORE-1] [STORE-12] [BACKUP-5] a Redis is connected, browsed, queried, backed up and restored',
  EDGE,
  async ({ page, redis }) => {
    test.skip(redis === undefined, 'there is no Redis on this machine')
    if (redis === undefined) return
    const { url } = redis
    const members = Array.from({ length: 10_001 }, (_, index) => index)
    await redis.run(`SADD crowd ${members.join(' ')}`)

    const screen = new DatabaseManagementPage(page)
    await connect(screen, { name: 'Journey cache', type: 'redis', url, writable: true })
    await run(screen, 'SET quote:BTCUSDT 64000')
    await run(screen, 'HSET account:1 owner ada')
    await screen.tab('Tables').click()
    await screen.chooseTable('db0')
    await expect(screen.pager).toHaveText('Page 1 / 1')
    await expect(screen.rows.filter({ hasText: 'account:1' })).toContainText('ada')

    await screen.tab('Query').click()
    await screen.execute('SMEMBERS crowd')
    await expect(screen.toasts.ofType('error', /Use SSCAN crowd 0 COUNT 1000\.$/)).toBeVisible()
    await run(screen, 'SCARD crowd')
    await expect(screen.result).toContainText('10001')

    const quote = { look: 'GET quote:BTCUSDT', found: '64000' }
    await comesBack(page, screen, { spoil: 'DEL quote:BTCUSDT', ...quote })
    await connect(screen, { name: 'Journey onlooker', type: 'redis', url, writable: false })
    await isOnlyRead(screen, { spoil: 'SET quote:BTCUSDT 1', ...quote })
  },
)

interface Connection {
  name: string
  type: 'postgresql' | 'redis'
  url: string
  writable: boolean
}

/** Adds a connection and opens its query box. */
async function connect(
  screen: DatabaseManagementPage,
  { name, type, url, writable }: Connection,
): Promise<void> {
  await screen.open()
  await screen.control('Add Connection').click()
  const dialog = screen.addDialog
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Type').selectOption(type)
  await dialog.getByLabel('Connection String').fill(url)
  if (writable) await dialog.getByLabel('Writable').check()
  await dialog.getByRole('button', { name: 'Add Connection' }).click()
  await expect(screen.connection(name)).toBeVisible()
  await expect(dialog).toBeHidden()
  await screen.connect(name)
  await screen.tab('Query').click()
}

async function run(screen: DatabaseManagementPage, statement: string): Promise<void> {
  await screen.execute(statement)
  await expect(screen.history.first()).toContainText(statement.slice(0, 20))
  await expect(screen.history.first()).toContainText('success')
}

interface Harm {
  spoil: string
  /** A statement that finds what was to be spoilt, as long as it is there. */
  look: string
  found: string
}

/** What is spoilt after a backup is there again after a restore. */
async function comesBack(page: Page, screen: DatabaseManagementPage, harm: Harm): Promise<void> {
  await backUp(screen)
  await screen.tab('Query').click()
  await run(screen, harm.spoil)
  await restore(page, screen)
  await screen.tab('Query').click()
  await run(screen, harm.look)
  await expect(screen.result).toContainText(harm.found)
}

async function isOnlyRead(screen: DatabaseManagementPage, harm: Harm): Promise<void> {
  await screen.execute(harm.spoil)
  const refusal = screen.toasts.ofType('error', /^Query failed: .*this connection is read-only/)
  await expect(refusal).toBeVisible()
  await run(screen, harm.look)
  await expect(screen.result).toContainText(harm.found)
}

async function backUp(screen: DatabaseManagementPage): Promise<void> {
  await screen.tab('Backups').click()
  await screen.control('Create Backup').click()
  await expect(screen.toasts.ofType('success', /^Backup created: [\d.]+ KB$/)).toBeVisible()
}

async function restore(page: Page, screen: DatabaseManagementPage): Promise<void> {
  await screen.tab('Backups').click()
  await control(page.getByRole('row').filter({ hasText: 'full' }), 'Restore').click()
  await screen.restoreQuestion.yes()
  await expect(screen.toasts.ofType('success', 'Database restored successfully')).toBeVisible()
}

/** A statement that fails as long as there is such a row, or none. */
function fails(when: 'EXISTS' | 'NOT EXISTS', rows: string): string {
  return `DO $$ BEGIN IF ${when} (${rows}) THEN RAISE 'not yet'; END IF; END $$`
}

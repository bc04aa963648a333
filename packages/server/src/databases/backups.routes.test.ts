import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { backups as calls } from '@binnacle/contract'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { createJobs } from '#services/jobs/job-runner.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newDatabaseAppOptions } from '#testkit/database-service.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addDatabaseApp } from './app.ts'

test('[CALL-28] a backup answers success and its size, and is listed as completed', async () => {
  const { post, list, conn } = await newApp()
  const reply = await post(`/api/db/${conn}/backup`)
  expect(reply.statusCode).toBe(200)
  const { success, backup_size } = reply.json()
  expect([success, backup_size]).toEqual([true, 8192])
  expect(await list(conn)).toEqual([
    {
      id: 1,
      backup_type: 'full',
      backup_size: 8192,
      backup_path: expect.stringMatching(/backups/),
      status: 'completed',
      created_at: expect.stringMatching(/Z$/),
      connection_name: 'Ledger',
      target: expect.stringMatching(/Ledger\.sqlite$/),
    },
  ])
})

test('[CALL-28] [CALL-46] a restore puts the data back, also while this server has the file open', async () => {
  const { app, post, conn, run } = await newApp()
  await post(`/api/db/${conn}/backup`)
  run('INSERT INTO trades VALUES (2)')
  const page = () => app.inject(`/api/db/${conn}/tables/trades/data`)
  expect((await page()).json().total).toBe(2)
  const reply = await post(`/api/db/${conn}/restore/1`)
  expect(reply.json()).toEqual({ success: true })
  expect((await page()).json().total).toBe(1)
})

test('[CALL-31] a backup and a restore are jobs with their log, and leave their lines before and after', async () => {
  const { post, conn, jobs, store } = await newApp()
  await post(`/api/db/${conn}/backup`)
  await post(`/api/db/${conn}/restore/1`)
  const made = await jobs.find(1)
  expect(JSON.parse(made?.result ?? '')).toEqual({ success: true, backup_size: 8192 })
  const restored = await jobs.find(2)
  expect(restored).toMatchObject({ state: 'done', title: 'Restore Ledger from backup 1', progress: 1 })
  expect(restored?.log.map(({ text }) => text)).toEqual([
    'Verify the backup.',
    'Take a safety backup.',
    'Restore beside.',
    'Verify beside.',
    'Swap.',
  ])
  const lines = await store.audit.page({ action: 'backups.restore' }, Number.MAX_SAFE_INTEGER, 10)
  expect(lines.map(({ entity, after }) => [entity, after])).toEqual([
    ['connection', expect.stringContaining('"state":"restored"')],
    ['job', expect.stringContaining('Restore Ledger from backup 1')],
  ])
})

test('two backups requested at once run one after the other', async () => {
  const { post, list, conn } = await newApp()
  const replies = await Promise.all([post(`/api/db/${conn}/backup`), post(`/api/db/${conn}/backup`)])
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect((await list(conn)).map(({ status }) => status)).toEqual(['completed', 'completed'])
})

test('the backups of a deleted connection stay listed under its id', async () => {
  const { app, post, list, conn } = await newApp()
  await post(`/api/db/${conn}/backup`)
  await app.inject({ method: 'DELETE', url: `/api/db/connections/${conn}` })
  expect((await list(conn)).map(({ status }) => status)).toEqual(['completed'])
  expect((await app.inject('/api/db/99/backups')).statusCode).toBe(404)
  expect((await post(`/api/db/${conn}/restore/1`)).statusCode).toBe(404)
})

test('[BACKUP-7] a read-only connection is backed up and not restored', async () => {
  const { post, conn } = await newApp({ writable: false })
  expect((await post(`/api/db/${conn}/backup`)).statusCode).toBe(200)
  const reply = await post(`/api/db/${conn}/restore/1`)
  expect(reply.statusCode).toBe(403)
  expect(reply.json()).toMatchObject({
    code: 'store.read-only',
    detail: "'Ledger' is read-only. Make the connection writable to restore it.",
  })
})

test('[BACKUP-7] a Parquet folder, which is only ever read, says how its files come back', async () => {
  const { post, folder } = await newApp()
  const ticks = { name: 'Ticks', type: 'parquet', database_name: '', connection_string: folder }
  const { id } = (await post('/api/db/connections', ticks)).json()
  const reply = await post(`/api/db/${id}/restore/1`)
  expect(reply.statusCode).toBe(403)
  expect(reply.json().detail).toBe(
    "'Ticks' is read-only. Copy the files out of the backup to bring them back.",
  )
})

test("[BACKUP-7] [BACKUP-13] Binnacle's own stores are restored by a command only", async () => {
  const { post } = await newApp()
  const reply = await post('/api/db/binnacle-admin/restore/1')
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({
    code: 'connection.built-in',
    detail: expect.stringContaining("Stop it and run 'npm run restore'."),
  })
})

test.each(['2', '0', '-1', '1e0', 'x', '1%20', '99999999999999999999'])(
  '[CALL-4] a restore of backup %s, which is not there, is a problem',
  async (id) => {
    const { post, conn } = await newApp()
    const reply = await post(`/api/db/${conn}/restore/${id}`)
    expect(reply.statusCode).toBe(404)
    expect(reply.json().errors).toEqual([
      { field: 'path.backupId', message: 'is not a backup of this connection' },
    ])
  },
)

test('[BACKUP-17] a restore over another database than was backed up must be confirmed with the target', async () => {
  const { post, conn, addFile, fileOf, run } = await newApp()
  await post(`/api/db/${conn}/backup`)
  const other = await addFile('Other')
  run('INSERT INTO trades VALUES (2)', 'Other')
  for (const body of [undefined, { confirm_target: 'Other' }]) {
    const refused = await post(`/api/db/${other}/restore/1`, body)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({
      code: 'restore.confirm',
      detail: `Backup 1 was made of ${fileOf('Ledger')} ('Ledger'). Restoring it here replaces ${fileOf('Other')}. Send confirm_target '${fileOf('Other')}' to do so.`,
      errors: [{ field: 'body.confirm_target', expected: fileOf('Other') }],
    })
  }
  expect(run('SELECT id FROM trades', 'Other')).toHaveLength(2)
  const reply = await post(`/api/db/${other}/restore/1`, { confirm_target: fileOf('Other') })
  expect(reply.json()).toEqual({ success: true })
  expect(run('SELECT id FROM trades', 'Other')).toHaveLength(1)
})

test('[BACKUP-17] after an edit to another database the backups stay listed, and a restore must be confirmed', async () => {
  const { app, post, list, conn, fileOf, run, addFile } = await newApp()
  await post(`/api/db/${conn}/backup`)
  const [unedited] = await list(conn)
  expect([unedited?.target, unedited?.confirm_target]).toEqual([fileOf('Ledger'), undefined])
  await addFile('Other')
  const edit = { connection_string: fileOf('Other') }
  await app.inject({ method: 'PUT', url: `/api/db/connections/${conn}`, body: edit })
  expect(await list(conn)).toMatchObject([{ target: fileOf('Ledger'), confirm_target: fileOf('Other') }])
  run('INSERT INTO trades VALUES (2)', 'Other')
  expect((await post(`/api/db/${conn}/restore/1`)).json().code).toBe('restore.confirm')
  expect(run('SELECT id FROM trades', 'Other')).toHaveLength(2)
})

test('[BACKUP-16] [BACKUP-18] a connection that gets the number of another does not get its backups', async () => {
  const first = await newApp()
  await first.post(`/api/db/${first.conn}/backup`)
  await first.post(`/api/db/${first.conn}/backup`)
  const before = await first.list(first.conn)
  // The catalogue is gone, as after a restore of the admin store.
  const second = await newApp({ backupFolder: first.backupFolder })
  expect(second.conn).toBe(first.conn)
  expect(await second.list(second.conn)).toEqual([])
  const left = calls.list.reply.parse((await second.app.inject('/api/db/backups/removed')).json()).backups
  expect(left.map(({ id, target }) => [id, target])).toEqual(before.map(({ id, target }) => [id, target]))
  expect((await second.post(`/api/db/${second.conn}/restore/1`)).json().code).toBe('restore.confirm')
  await second.post(`/api/db/${second.conn}/backup`)
  expect((await second.list(second.conn)).map(({ id }) => id)).toEqual([3])
})

test('[BACKUP-4] [BACKUP-12] a backup that was damaged is refused, and from then on said to be', async () => {
  const { post, list, conn, run } = await newApp()
  await post(`/api/db/${conn}/backup`)
  const [backup] = await list(conn)
  writeFileSync(join(backup?.backup_path ?? '', 'contents', 'database.sqlite'), 'damaged')
  run('INSERT INTO trades VALUES (2)')
  const reply = await post(`/api/db/${conn}/restore/1`)
  expect(reply.statusCode).toBe(500)
  expect(reply.json()).toMatchObject({
    code: 'restore.failed',
    detail: 'The backup is damaged: database.sqlite has 7 bytes instead of 8192.',
  })
  expect((await list(conn))[0]?.status).toBe('damaged')
  const again = await post(`/api/db/${conn}/restore/1`)
  expect(again.json()).toMatchObject({
    code: 'backup.not-restorable',
    detail: 'Backup 1 is damaged, not completed.',
  })
  expect(run('SELECT id FROM trades')).toHaveLength(2)
})

test('[BACKUP-8] a drill answers what came out of the newest backup', async () => {
  const { post, conn } = await newApp()
  expect((await post(`/api/db/${conn}/backups/drill`)).json()).toMatchObject({
    code: 'job.failed',
    detail: 'This connection has no completed backup.',
  })
  await post(`/api/db/${conn}/backup`)
  // A busy machine may answer with the job; the next drill is of the same backup.
  const drilled = async () => (await post(`/api/db/${conn}/backups/drill`)).json()
  await expect.poll(drilled).toMatchObject({
    success: true,
    message: expect.stringMatching(/^Backup 1 restores: 1 rows in 1 parts, in \d+\.\d s$/),
    counts: { trades: 1 },
    files: 1,
  })
})

test('[BACKUP-9] retention is set per connection', async () => {
  const { app, conn } = await newApp()
  const url = `/api/db/${conn}/backups/retention`
  expect((await app.inject(url)).json()).toEqual({ keep_newest: 10, keep_days: 30 })
  const body = { keep_newest: 2, keep_days: 0 }
  const reply = await app.inject({ method: 'PUT', url, body })
  expect(reply.json()).toEqual({ message: 'The 2 newest backups and all of the last 0 days are kept' })
  expect((await app.inject(url)).json()).toEqual(body)
  expect((await app.inject({ method: 'PUT', url, body: { ...body, keep_newest: 0 } })).statusCode).toBe(422)
})

test('[BACKUP-3] a store that cannot be backed up is a failed backup', async () => {
  const { post, conn, file } = await newApp()
  writeFileSync(file, 'This is a text that is certainly no database, however long it may be looked at.')
  const reply = await post(`/api/db/${conn}/backup`)
  expect(reply.statusCode).toBe(500)
  expect(reply.json()).toMatchObject({
    code: 'backup.failed',
    detail: expect.stringMatching(/not a database/),
  })
})

async function newApp({ writable = true, backupFolder = join(temporaryFolder(), 'backups') } = {}) {
  const { store } = await newAdminStore()
  const parts = await newDatabaseAppOptions(store, { backupFolder })
  const jobs = createJobs({ store: store.jobs })
  onTestFinished(() => jobs.close(1000))
  const app = createHttpApp({ logger: silentLog })
  addDatabaseApp(app, { ...parts, jobs })
  const post = (url: string, body?: object) => app.inject({ method: 'POST', url, ...(body && { body }) })

  const [folder = ''] = parts.database.access.databaseFolders
  const fileOf = (name: string) => join(folder, `${name}.sqlite`)
  const run = (sql: string, name = 'Ledger') => {
    const database = new DatabaseSync(fileOf(name))
    const rows = database.prepare(sql).all()
    database.close()
    return rows
  }
  async function addFile(name: string): Promise<string> {
    run('CREATE TABLE trades (id INTEGER PRIMARY KEY)', name)
    run('INSERT INTO trades VALUES (1)', name)
    const connection = { name, type: 'sqlite', database_name: '', connection_string: fileOf(name), writable }
    return String((await post('/api/db/connections', connection)).json().id)
  }
  const list = async (conn: string) =>
    calls.list.reply.parse((await app.inject(`/api/db/${conn}/backups`)).json()).backups
  const conn = await addFile('Ledger')
  return {
    app,
    jobs,
    store,
    post,
    list,
    run,
    addFile,
    folder,
    fileOf,
    file: fileOf('Ledger'),
    conn,
    backupFolder,
  }
}

import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { StartRefusal } from '#config/start-refusal.ts'
import { connectionOwner } from '#storage/admin/connections-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { type AdminStore, openAdminStore } from './admin-store.ts'

const ACT = serverAuditContext('a test')

test('settings are seeded once: changes and deletions persist after a restart', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const first = await openAdminStore(file)
  expect(await first.settings.list()).toHaveLength(9)
  expect(await first.settings.update(ACT, 'cache_ttl', { value: '60' })).toMatchObject({ ok: true })
  expect(await first.settings.update(ACT, 'nothing', { value: '60' })).toEqual({
    ok: false,
    reason: 'unknown',
  })
  await first.close()
  const other = new DatabaseSync(file)
  other.exec("DELETE FROM settings WHERE key = 'environment'")
  other.close()

  const second = await openAdminStore(file)
  const keptSettings = await second.settings.list()
  await second.close()
  expect(keptSettings).toHaveLength(8)
  expect(keptSettings.find(({ key }) => key === 'cache_ttl')?.value).toBe('60')
})

test('an update is on disk when it returns: it survives without a close', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const store = await openAdminStore(file)
  await store.settings.update(ACT, 'system_name', { value: 'Desk 7' })
  const other = new DatabaseSync(file, { readOnly: true })
  const row = other.prepare("SELECT value FROM settings WHERE key = 'system_name'").get()
  other.close()
  await store.close()
  expect(row?.value).toBe('Desk 7')
})

test('a damaged file prevents the start, is named and stays unchanged', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  await fillLog(file, 400)
  damagePage(file, 'audit_log', 5)
  const before = readFileSync(file)
  await expect(openAdminStore(file)).rejects.toThrow(
    /^\S*admin\.sqlite is damaged \(Tree \d+ page \d+: .+\)\. Restore it from a backup, or set BINNACLE_DATA to another folder\.$/,
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('verification finds damage made while the server runs and names the record', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  await fillLog(file, 400)
  const store = await openAdminStore(file)
  onTestFinished(() => store.close())
  damagePage(file, 'audit_log', 5)
  const { fault } = await store.audit.verify()
  expect(fault?.seq).toBeGreaterThan(1)
  expect(fault?.seq).toBeLessThanOrEqual(400)
  expect(fault?.detail).toMatch(/^Record \d+ cannot be read: \S*admin\.sqlite is damaged \(.+\)\.$/)
})

test('verification names a damaged chain head', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  await fillLog(file, 1)
  const store = await openAdminStore(file)
  onTestFinished(() => store.close())
  damagePage(file, 'audit_head', 0)
  expect((await store.audit.verify()).fault?.detail).toMatch(
    /^The end marker of the log cannot be read: \S*admin\.sqlite is damaged \(.+\)\.$/,
  )
})

test('[ADM-15] a log that lost its newest records is noticed at the next start, and the loss is recorded', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  await fillLog(file, 1)
  const before = readFileSync(file)
  await fillLog(file, 2)
  // What a damaged write-ahead log leaves: the store as of an earlier commit.
  writeFileSync(file, before)
  const store = await openAdminStore(file)
  expect(await store.audit.openLosses()).toMatchObject([{ seq: 2, markedSeq: 3 }])
  const [newest] = await store.audit.page({}, Number.MAX_SAFE_INTEGER, 1)
  expect(newest).toMatchObject({
    seq: 2,
    action: 'audit.compare',
    before: expect.stringContaining('"seq":3'),
  })
  await store.close()
})

test('[ADM-140] a lost record stays a fault of the verification at every start', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  await fillLog(file, 1)
  const before = readFileSync(file)
  await fillLog(file, 4)
  writeFileSync(file, before)
  for (const _ of ['first', 'second']) {
    const store = await openAdminStore(file)
    expect((await store.audit.verify()).fault).toEqual({
      seq: 2,
      kind: 'removed',
      detail: expect.stringMatching(
        /^The audit log has lost records 2 to 5: at the start of \S+Z it ended with record 1, but audit-head\.json named record 5\./,
      ),
    })
    expect(await store.audit.head()).toMatchObject({ seq: 2 })
    await store.close()
  }
})

test('[START-142] a missing key is refused while the store has sealed values, and no new one is made', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'admin.sqlite')
  const key = join(folder, 'secret.key')
  const store = await openAdminStore(file)
  await addConnection(store)
  await store.settings.add(ACT, { key: 'mail_password', value: 'hunter2', description: '', category: 'x' })
  await store.close()
  rmSync(key)
  await expect(openAdminStore(file)).rejects.toEqual(
    new StartRefusal(
      `${key} is missing, and ${file} has values that only this key opens: connection strings (1), secret settings (1). Put the file back from a copy or a backup with a passphrase; or run 'npm run new-key' to continue without these values, and enter them again.`,
    ),
  )
  expect(existsSync(key)).toBe(false)
})

test('[START-142] a missing key is replaced while nothing is sealed', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'admin.sqlite')
  await (await openAdminStore(file)).close()
  rmSync(join(folder, 'secret.key'))
  await (await openAdminStore(file)).close()
  expect(existsSync(join(folder, 'secret.key'))).toBe(true)
})

test('[START-142] beside a store that cannot be read no new key is made', async () => {
  const folder = temporaryFolder({ 'admin.sqlite': 'This was a database once, and is not one any more.' })
  await expect(openAdminStore(join(folder, 'admin.sqlite'))).rejects.toThrow('cannot be used (file is not')
  expect(existsSync(join(folder, 'secret.key'))).toBe(false)
})

async function addConnection(store: AdminStore): Promise<void> {
  const added = await store.connections.add(ACT, {
    identity: 'a-random-identity',
    name: 'Desk',
    type: 'postgresql',
    database_name: 'desk',
    sealed_string: store.secrets.seal('postgres://db.example/desk', connectionOwner('a-random-identity')),
    is_active: 1,
    writable: 0,
    accept_privileged_role: 0,
    time_limit_s: 30,
  })
  expect(added).toMatchObject({ ok: true })
}

async function fillLog(file: string, lines: number): Promise<void> {
  const store = await openAdminStore(file)
  for (let line = 0; line < lines; line++) {
    await store.audit.record(ACT, {
      entity: 'sample',
      target: String(line),
      before: null,
      after: 'x'.repeat(200),
    })
  }
  await store.close()
}

/** Overwrites a page of the table. */
function damagePage(file: string, table: string, nth: number): void {
  const database = new DatabaseSync(file, { readOnly: true })
  const pages = database.prepare('SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno').all(table)
  const size = Number(database.prepare('PRAGMA page_size').get()?.page_size)
  database.close()
  const page = Number(pages[nth]?.pageno)
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size)
  closeSync(handle)
}

import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openAdminStore } from '#storage/admin-store.ts'
import { type AuditContext, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { ChainedRecord } from '#storage/audit/chain.ts'
import { NO_MARKER } from '#storage/audit/head-marker.ts'
import { openSqlite } from '#storage/sqlite.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { tableContents } from '#testkit/table-contents.ts'
import type { AdminDb } from './admin-tables.ts'
import { openAuditStore } from './audit-store.ts'
import { createAudited } from './audited.ts'

const ACT: AuditContext = {
  actor: 'local',
  role: 'admin',
  address: '127.0.0.1',
  action: 'settings.update',
  requestId: 'r-1',
}

test('a change and its audit record are stored together', async () => {
  const { store } = await newAdminStore()
  await store.settings.update(ACT, 'cache_ttl', { value: '60' })
  const [line] = await store.audit.page({}, Number.MAX_SAFE_INTEGER, 10)
  expect(line).toMatchObject({
    seq: 1,
    actor: 'local',
    role: 'admin',
    address: '127.0.0.1',
    action: 'settings.update',
    entity: 'setting',
    target: 'cache_ttl',
    request_id: 'r-1',
  })
  expect(JSON.parse(line?.before ?? '')).toMatchObject({ key: 'cache_ttl', value: '3600' })
  expect(JSON.parse(line?.after ?? '')).toMatchObject({ key: 'cache_ttl', value: '60' })
})

test('a change whose audit record cannot be written is rolled back', async () => {
  const { store, file } = await newAdminStore()
  edit(file, "CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'disk full'); END")
  const before = tableContents(file)
  await expect(store.settings.update(ACT, 'cache_ttl', { value: '60' })).rejects.toThrow('disk full')
  await expect(store.settings.remove(ACT, 'cache_ttl')).rejects.toThrow('disk full')
  expect(tableContents(file)).toEqual(before)
  edit(file, 'DROP TRIGGER full')
  expect(await store.settings.update(ACT, 'cache_ttl', { value: '60' })).toMatchObject({ ok: true })
})

test('records from the journal are committed without a sync, later changes with one', async () => {
  const { file } = await newAdminStore()
  const db: AdminDb = openSqlite(file)
  onTestFinished(() => db.destroy())
  const audited = createAudited(db, () => new Date())
  const { appendFromJournal } = await openAuditStore({ db, audited, file, marker: NO_MARKER })
  const modes: unknown[] = []
  const note = async () => modes.push((await sql<object>`PRAGMA synchronous`.execute(db)).rows[0])
  await appendFromJournal([], { seq: 7, fingerprint: 'seven' })
  await note()
  edit(file, "CREATE TRIGGER full BEFORE UPDATE ON audit_journal_mark BEGIN SELECT RAISE(ABORT, 'full'); END")
  await expect(appendFromJournal([], { seq: 8, fingerprint: 'eight' })).rejects.toThrow('full')
  await note()
  const FULL = { synchronous: 2 }
  expect(modes).toEqual([FULL, FULL])
})

test('a refused change leaves no audit record', async () => {
  const { store, file } = await newAdminStore()
  const before = tableContents(file)
  expect(await store.settings.remove(ACT, 'nothing')).toEqual({ ok: false, reason: 'unknown' })
  expect(tableContents(file)).toEqual(before)
})

test('concurrent changes are chained in sequence', async () => {
  const { store } = await newAdminStore()
  const values = Array.from({ length: 50 }, (_, index) => String(index))
  await Promise.all(values.map((value) => store.settings.update(ACT, 'cache_ttl', { value })))
  const lines = await store.audit.page({}, Number.MAX_SAFE_INTEGER, 100)
  expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index))
  expect((await store.audit.verify()).fault).toBeUndefined()
})

test('triggers reject changed, deleted and skipped records', async () => {
  const { store, file } = await newAdminStore()
  await store.audit.record(ACT, { entity: 'x', target: 'y', before: null, after: null })
  expect(() => edit(file, "UPDATE audit_log SET actor = 'ada'")).toThrow('are never changed')
  expect(() => edit(file, 'DELETE FROM audit_log')).toThrow('are never deleted')
  expect(() => edit(file, 'UPDATE audit_head SET seq = 0')).toThrow('moves on to lines that are there')
  expect(() => edit(file, 'DELETE FROM audit_head')).toThrow('is never deleted')
})

const TAMPERINGS: [string, string, number, string][] = [
  ['altered', "UPDATE audit_log SET after = '{}' WHERE seq = 3", 3, 'altered'],
  ['removed', 'DELETE FROM audit_log WHERE seq = 3', 3, 'removed'],
  ['cut off the end', 'DELETE FROM audit_log WHERE seq = 5', 5, 'removed'],
  [
    'moved',
    'UPDATE audit_log SET seq = 99 WHERE seq = 2; UPDATE audit_log SET seq = 2 WHERE seq = 4; UPDATE audit_log SET seq = 4 WHERE seq = 99',
    2,
    'moved',
  ],
  ['left without a head', 'DELETE FROM audit_head', 0, 'removed'],
]

test.each(TAMPERINGS)('a record %s in the file is detected and named', async (_what, sql, seq, kind) => {
  const { store, file } = await newAdminStore()
  for (const value of '12345') await store.settings.update(ACT, 'cache_ttl', { value })
  expect(await store.audit.verify()).toMatchObject({ head: { seq: 5 }, fault: undefined })
  edit(file, `${DROP_TRIGGERS}; ${sql}`)
  expect((await store.audit.verify()).fault).toMatchObject({ seq, kind })
})

test('the chain continues after a restart', async () => {
  const { store, file } = await newAdminStore()
  await store.settings.update(ACT, 'cache_ttl', { value: '1' })
  await store.close()
  const second = await openAdminStore(file, () => new Date('2026-01-01T00:00:00Z'))
  await second.settings.update(serverAuditContext('tasks.run'), 'cache_ttl', { value: '2' })
  expect(await second.audit.verify()).toMatchObject({ head: { seq: 2 }, fault: undefined })
  const [line] = await second.audit.page({}, Number.MAX_SAFE_INTEGER, 1)
  expect(line).toMatchObject({ at: '2026-01-01T00:00:00.000Z', actor: 'server', address: null })
  await second.close()
})

test('records are filtered, paged newest first and read in batches oldest first', async () => {
  let second = 0
  const { file } = await newAdminStore()
  const store = await openAdminStore(file, () => new Date(Date.UTC(2026, 0, 1, 0, 0, second++)))
  for (let value = 0; value < 1203; value++) {
    await store.audit.record(serverAuditContext(value % 2 === 0 ? 'even' : 'odd'), {
      entity: value % 3 === 0 ? 'user' : 'setting',
      target: String(value),
      before: null,
      after: null,
    })
  }
  const seqs = async (filter: object, before = Number.MAX_SAFE_INTEGER, limit = 3) =>
    (await store.audit.page(filter, before, limit)).map(({ seq }) => seq)
  expect(await seqs({})).toEqual([1203, 1202, 1201])
  expect(await seqs({}, 1201)).toEqual([1200, 1199, 1198])
  expect(await seqs({ action: 'odd' })).toEqual([1202, 1200, 1198])
  expect(await seqs({ action: 'odd', entity: 'user' })).toEqual([1198, 1192, 1186])
  expect(await seqs({ target: '7' })).toEqual([8])
  expect(await seqs({ actor: 'ada' })).toEqual([])
  expect(await seqs({ from: '2026-01-01T00:00:01.000Z', to: '2026-01-01T00:00:03.000Z' })).toEqual([3, 2])
  const batches: ChainedRecord[][] = []
  for await (const batch of store.audit.batches({})) batches.push(batch)
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 203])
  expect(batches.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 1203 }, (_, index) => index + 1))
  await store.close()
})

const DROP_TRIGGERS =
  'DROP TRIGGER audit_log_is_not_changed; DROP TRIGGER audit_log_is_not_cut; DROP TRIGGER audit_head_stays'

function edit(file: string, sql: string): void {
  const other = new DatabaseSync(file)
  try {
    other.exec(sql)
  } finally {
    other.close()
  }
}

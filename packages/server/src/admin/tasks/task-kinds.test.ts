import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { JobControl } from '@binnacle/stores'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { batchContext, createBackupBatches } from '#databases/backups/batch.ts'
import type { StoreBackups } from '#services/maintenance.ts'
import { createOutbound } from '#services/outbound/outbound.ts'
import { createServiceProbes } from '#services/outbound/service-probes.ts'
import { type AdminStore, openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import type { OwnStoreCheck } from '#storage/own-store-check.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newBackups } from '#testkit/backups/backup-context.ts'
import { newSqlite } from '#testkit/backups/backup-stores.ts'
import { subjectOf } from '#testkit/backups/backup-subjects.ts'
import { openTarget } from '#testkit/target.ts'
import { createTaskKinds } from './task-kinds.ts'

const ACT = serverAuditContext('test')

test('audit.verify reports an intact log, and fails with the altered line', async () => {
  const { store, file } = await newAdminStore()
  for (const key of ['a', 'b'])
    await store.settings.add(ACT, { key, value: '1', description: '', category: 'x' })
  const { kinds, control } = await newKinds(store)
  expect(await kinds['audit.verify'](control)).toEqual({
    message: 'The audit log is intact: 2 records verified.',
    result: { lines: 2 },
  })
  const database = new DatabaseSync(file)
  database.exec("DROP TRIGGER audit_log_is_not_changed; UPDATE audit_log SET actor = 'eve' WHERE seq = 1")
  database.close()
  await expect(kinds['audit.verify'](control)).rejects.toThrow(
    'The audit log failed verification. Record 1 was altered.',
  )
})

test('[ADM-16] stores.check reports intact stores, and fails with every fault', async () => {
  const { store } = await newAdminStore()
  let fault: string | undefined
  const file = 'a file'
  const checkOwnStores = async () => [
    { store: 'admin' as const, file },
    { store: 'journal' as const, engine: 'second', file, fault },
  ]
  const { kinds, control } = await newKinds(store, undefined, undefined, checkOwnStores)
  expect(await kinds['stores.check'](control)).toEqual({
    message: 'admin, journal of second and the audit log (0 records) are intact.',
    result: { stores: ['admin', 'journal of second'], records: 0 },
  })
  fault = 'entry 3 was changed.'
  await expect(kinds['stores.check'](control)).rejects.toThrow('entry 3 was changed.')
})

test('[ADM-140] both checks fail while the audit log has a loss that nobody has acknowledged', async () => {
  const { store } = await newAdminStore()
  const before = { seq: 7, hash: 'ab' }
  const loss = { entity: 'audit-log', target: 'head', before, after: null }
  await store.audit.record(serverAuditContext('audit.compare'), loss)
  const { kinds, control } = await newKinds(store, undefined, undefined, async () => [])
  for (const kind of ['audit.verify', 'stores.check'] as const)
    await expect(kinds[kind](control)).rejects.toThrow('The audit log has lost records 1 to 7')
})

test('history.clean deletes jobs and runs that ended more than 90 days ago, and nothing else', async () => {
  let now = new Date('2026-01-01T00:00:00Z')
  const store = await openAdminStore(':memory:', () => now)
  const task = { name: 'a', kind: 'history.clean', schedule: '0 3 * * *', time_zone: 'UTC' } as const
  const handled_until = now.toISOString()
  await store.tasks.add(ACT, { ...task, is_enabled: 1, handled_until })
  const endOne = async () => {
    const job = await store.jobs.add(ACT, { kind: 'a', title: 'A' })
    await store.jobs.end(job.id, { state: 'done', progress: 1, message: null, result: null, error: null })
    const run = await store.taskRuns.claim({ taskId: 1, scheduledFor: null, askedBy: 'a' })
    await store.taskRuns.end(run?.id ?? 0, { state: 'done', message: null, result: null })
  }
  await endOne()
  await store.jobs.add(ACT, { kind: 'a', title: 'Still waiting' })
  now = new Date('2026-01-01T00:00:01Z')
  await endOne()
  now = new Date('2026-04-01T00:00:01Z')
  const { kinds, control } = await newKinds(store, () => now)
  expect(await kinds['history.clean'](control)).toEqual({
    message: '1 jobs and 1 task runs older than 90 days deleted.',
    result: { jobs: 1, runs: 1, before: '2026-01-01T00:00:01.000Z' },
  })
  expect((await store.jobs.list(10)).map(({ id }) => id)).toEqual([3, 2])
  expect((await store.taskRuns.ofTask(1, 10)).map(({ id }) => id)).toEqual([2])
  const lines = await store.audit.page({ action: 'history.clean' }, 1e9, 10)
  expect(lines.map(({ actor, entity, before }) => [actor, entity, before])).toEqual([
    ['server', 'task-run', '{"count":1}'],
    ['server', 'job', '{"count":1}'],
  ])
  await store.close()
})

test('health.report probes every service and names the unhealthy ones', async () => {
  const { store } = await newAdminStore()
  const ill = await openTarget((response) => response.writeHead(500).end())
  await store.services.add(ACT, { name: 'Feed', description: '', url: ill.url })
  const { kinds, control, logged } = await newKinds(store)
  expect(await kinds['health.report'](control)).toMatchObject({
    message: '3 of 4 services are healthy. Unhealthy: Feed.',
    result: {
      services: [
        { service: 'Trading API', status: 'healthy' },
        { service: 'Admin Database API', status: 'healthy' },
        { service: 'Database Management', status: 'healthy' },
        { service: 'Feed', status: 'unhealthy', error: 'HTTP 500' },
      ],
    },
  })
  expect(logged).toEqual(['Feed: HTTP 500'])
})

test('backup.make backs up every store, and backup.drill restores the backups', async () => {
  const { store } = await newAdminStore()
  const { backups } = await newBackups()
  const subjects = [subjectOf((await newSqlite()).source)]
  const rounds = createBackupBatches(backups)
  const storeBackups: StoreBackups = {
    backUpAll: (control) => rounds.backUp(batchContext(), subjects, control),
    drillAll: (control) => rounds.drill(subjects, control),
  }
  const { kinds, control } = await newKinds(store, undefined, storeBackups)
  expect(await kinds['backup.drill'](control)).toMatchObject({ message: '0 of 0 newest backups restore.' })
  expect(await kinds['backup.make'](control)).toEqual({
    message: '1 of 1 stores are backed up.',
    result: { done: [{ connection: 'Ledger', backup: 1, bytes: 8192, warnings: [] }], failed: [] },
  })
  expect(await kinds['backup.drill'](control)).toMatchObject({ message: '1 of 1 newest backups restore.' })
  const gone = subjectOf({ type: 'sqlite', file: join(temporaryFolder(), 'gone.sqlite') }, '8')
  subjects.push({ ...gone, name: 'Gone' })
  await expect(kinds['backup.make'](control)).rejects.toThrow(
    '1 of 2 stores are backed up. Gone: The database file does not exist.',
  )
})

async function newKinds(
  store: AdminStore,
  now = () => new Date(),
  storeBackups?: StoreBackups,
  checkOwnStores?: () => Promise<OwnStoreCheck[]>,
) {
  const ours = await openTarget()
  const outbound = createOutbound({ allowedHosts: [] })
  const probes = createServiceProbes({
    services: store.services,
    history: store.probes,
    outbound,
    urlOf: () => ours.url,
  })
  const logged: string[] = []
  const control: JobControl = {
    signal: new AbortController().signal,
    progress: () => {},
    log: (line) => logged.push(line),
  }
  return { kinds: createTaskKinds({ store, probes, now, storeBackups, checkOwnStores }), control, logged }
}

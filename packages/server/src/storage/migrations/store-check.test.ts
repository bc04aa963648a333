import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { adminMigrations } from '#storage/admin-migrations.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { openMigrated } from '#storage/migrate.ts'
import { secretBoxBeside } from '#storage/secret-box.ts'

const NIGHTLY = { kind: 'stores.check', schedule: '0 3 * * *', time_zone: 'UTC', is_enabled: 1 }

test('[ADM-18] a new folder checks its own stores every night, and a deleted task stays deleted', async () => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const store = await openAdminStore(file)
  const [task, ...others] = await store.tasks.list()
  expect(task).toMatchObject({ name: 'Check of own stores', ...NIGHTLY })
  expect(others).toEqual([])
  await store.tasks.remove(serverAuditContext('tasks.remove'), task?.id ?? 0)
  await store.close()
  const again = await openAdminStore(file)
  expect(await again.tasks.list()).toEqual([])
  await again.close()
})

test.each([
  ['without one gets it', 'audit.verify', 2],
  ['with one of its own keeps it alone', 'stores.check', 1],
])('[ADM-18] a folder of an earlier version %s', async (_, kind, count) => {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const old = Object.entries(adminMigrations(secretBoxBeside(file))).filter(([name]) => name < '0022')
  const db = await openMigrated(file, Object.fromEntries(old))
  await sql`INSERT INTO tasks (name, kind, schedule, time_zone, is_enabled, handled_until)
            VALUES ('Mine', ${kind}, '0 4 * * *', 'UTC', 0, '2026-01-01T00:00:00.000Z')`.execute(db)
  await db.destroy()
  const store = await openAdminStore(file)
  const tasks = await store.tasks.list()
  expect(tasks).toHaveLength(count)
  expect(tasks[0]).toMatchObject({ name: 'Mine', schedule: '0 4 * * *' })
  await store.close()
})

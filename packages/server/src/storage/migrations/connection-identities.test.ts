import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { adminMigrations } from '#storage/admin-migrations.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { openMigrated } from '#storage/migrate.ts'
import { secretBoxBeside } from '#storage/secret-box.ts'

test('[BACKUP-16] [START-3] connections of an older store get an identity and keep their backups and retention', async () => {
  const file = await oldStore(`
    INSERT INTO connections VALUES (3, 'Desk', 'sqlite', '', 'v1:x', 1, 1, 30), (4, 'Ticks', 'parquet', '', 'v1:y', 1, 0, 30);
    INSERT INTO backups VALUES
      (1, 'a', '3', 'Desk', 'sqlite', 'full', 1, 'completed', '2026-01-01T00:00:00.000Z', 'x'),
      (2, 'b', '4', 'Cache', 'redis', 'full', 1, 'completed', '2026-01-02T00:00:00.000Z', 'x'),
      (3, 'c', '9', 'Gone', 'sqlite', 'full', 1, 'completed', '2026-01-03T00:00:00.000Z', 'x'),
      (4, 'd', 'binnacle-admin', 'Binnacle admin', 'sqlite', 'full', 1, 'completed', '2026-01-04T00:00:00.000Z', 'x');
    INSERT INTO backup_retention VALUES ('3', 5, 6), ('binnacle-admin', 7, 8)`)
  const store = await openAdminStore(file)
  onTestFinished(() => store.close())
  const [desk, ticks] = await store.connections.list()
  expect(desk?.identity).toMatch(/^[\da-f]{32}$/)
  expect(ticks?.identity).not.toBe(desk?.identity)
  expect(await store.backups.list(desk?.identity)).toMatchObject([{ id: 1, target: '' }])
  expect(await store.backups.list(ticks?.identity)).toEqual([])
  expect(await store.backups.list('binnacle-admin')).toMatchObject([{ id: 4 }])
  expect((await store.backups.listRemoved()).map(({ id }) => id)).toEqual([3, 2])
  expect(await store.backups.retentionOf(desk?.identity ?? '')).toMatchObject({
    keep_newest: 5,
    keep_days: 6,
  })
  expect(await store.backups.retentionOf('binnacle-admin')).toMatchObject({ keep_newest: 7 })
})

/** A store as version 1.0.0 left it, with these rows. */
async function oldStore(rows: string): Promise<string> {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const old = Object.entries(adminMigrations(secretBoxBeside(file))).filter(([name]) => name < '0018')
  const db = await openMigrated(file, Object.fromEntries(old))
  await db.destroy()
  const database = new DatabaseSync(file)
  database.exec(rows)
  database.close()
  return file
}

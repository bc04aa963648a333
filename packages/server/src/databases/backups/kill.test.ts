import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBackupDrivers } from '@binnacle/stores'
import { countOf, temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { type NumberStore, newSqlite } from '#testkit/backups/backup-stores.ts'
import { quietControl, subjectOf } from '#testkit/backups/backup-subjects.ts'
import { describeEveryStore } from '#testkit/backups/every-store.ts'
import { killAtEveryStep } from '#testkit/backups/kill-at-steps.ts'
import { type Backups, openBackups } from './backups.ts'
import { BACKUP_STEPS } from './make-backup.ts'

const ACT = serverAuditContext('test')
const OLD = '1,2,3,4'
const NEW = '1,2,3'
/** After these steps a kill leaves what it leaves before them, so the sample kills only before the next step. */
const EQUIVALENT = { make: ['sync', 'verify'], restore: ['verify the backup', 'verify beside'] }
const PASSED_OVER = countOf('killsPerState') === 1 ? EQUIVALENT : { make: [], restore: [] }

describeEveryStore((create) => {
  test('[BACKUP-2] a backup killed at any step is not there, or is whole', () => killBackup(create))
  test('[BACKUP-6] [BACKUP-26] one killed at any step of a restore is old or new, and nothing is left in the store', () =>
    killRestore(create))
}, countOf('killedStores'))

test('[BACKUP-11] a store of our own killed at any step of its restore is old or new', () =>
  killRestore(newSqlite, 'own'))

async function killBackup(create: () => Promise<NumberStore>): Promise<void> {
  const store = await create()
  const dataFolder = temporaryFolder()
  const steps = await killAtEveryStep(
    { act: 'make', dataFolder, ...store, passOver: PASSED_OVER.make },
    {
      async after() {
        await withBackups(dataFolder, store, async (backups) => {
          for (const { id, status } of await backups.list('7')) {
            expect(status).toBe('completed')
            await backups.restore(ACT, subjectOf(store.source), id, quietControl())
          }
        })
        expect(await store.read()).toEqual([1, 2, 3])
        const hidden = readdirSync(join(dataFolder, 'backups')).filter((name) => name.startsWith('.'))
        expect(hidden).toEqual(['.swaps'])
      },
    },
  )
  expect(steps + PASSED_OVER.make.length).toBe(7)
}

async function killRestore(
  create: () => Promise<NumberStore>,
  act: 'restore' | 'own' = 'restore',
): Promise<void> {
  const store = await create()
  const dataFolder = temporaryFolder()
  const { id } = await withBackups(dataFolder, store, (backups) =>
    backups.make(ACT, subjectOf(store.source), quietControl()),
  )
  const found = new Set<string>()
  const steps = await killAtEveryStep(
    { act, dataFolder, ...store, backup: id, passOver: [...BACKUP_STEPS, ...PASSED_OVER.restore] },
    {
      before: () => store.change(),
      async after() {
        await withBackups(dataFolder, store, (backups) => backups.clearStaging([subjectOf(store.source)]))
        found.add((await store.read()).join())
        expect(await store.left()).toEqual([])
      },
    },
  )
  expect(steps + PASSED_OVER.restore.length).toBeGreaterThanOrEqual(5)
  expect(found).toEqual(new Set([OLD, NEW]))
  expect(await store.read()).toEqual([1, 2, 3])
  expect(await store.left()).toEqual([])
}

async function withBackups<Result>(
  dataFolder: string,
  { binFolder }: NumberStore,
  use: (backups: Backups) => Promise<Result>,
): Promise<Result> {
  const store = await openAdminStore(join(dataFolder, 'admin.sqlite'))
  const driverFor = createBackupDrivers({ path: '', binFolder })
  const result = await use(await openBackups({ folder: join(dataFolder, 'backups'), store, driverFor }))
  await store.close()
  return result
}

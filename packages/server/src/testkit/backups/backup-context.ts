import { join } from 'node:path'
import { createBackupDrivers } from '@binnacle/stores'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'
import { type Backups, type BackupsOptions, openBackups } from '#databases/backups/backups.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { openAdminStore } from '#storage/admin-store.ts'

export interface TestBackups {
  backups: Backups
  store: AdminStore
  /** The folder of the backups. */
  folder: string
}

/** Backups in a new folder with a new catalogue. */
export async function newBackups(
  binFolder?: string,
  options: Partial<BackupsOptions> = {},
): Promise<TestBackups> {
  const folder = join(temporaryFolder(), 'backups')
  const store = await openAdminStore(':memory:')
  onTestFinished(() => store.close())
  const driverFor = createBackupDrivers({ path: '', binFolder })
  return { store, folder, backups: await openBackups({ folder, store, driverFor, ...options }) }
}

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Backups, type BackupsNeeds, openBackups } from '#backups/backups.ts'
import { createKinds } from '#backups/kinds.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'

export interface TestBackups {
  backups: Backups
  store: AdminStore
  /** Where the backups are. */
  folder: string
}

/** Backups in a new folder with a catalogue of their own. */
export async function newBackups(
  binFolder?: string,
  options: Partial<BackupsNeeds> = {},
): Promise<TestBackups> {
  const folder = join(temporaryFolder(), 'backups')
  const store = await openAdminStore(':memory:')
  onTestFinished(() => store.close())
  const kindOf = createKinds({ path: '', binFolder })
  return { store, folder, backups: await openBackups({ folder, store, kindOf, ...options }) }
}

import { join } from 'node:path'
import { type AtEnd, temporaryFolder } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'
import { type AdminStore, openAdminStore } from '#storage/admin-store.ts'

export interface TestStore {
  store: AdminStore
  file: string
}

/** A new admin store on the disk, closed and gone when the test is over. */
export async function newAdminStore(atEnd: AtEnd = onTestFinished): Promise<TestStore> {
  const file = join(temporaryFolder({}, atEnd), 'admin.sqlite')
  const store = await openAdminStore(file)
  atEnd(() => store.close())
  return { store, file }
}

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  template ??= migratedFolder()
  cpSync(await template, dirname(file), { recursive: true })
  const store = await openAdminStore(file)
  atEnd(() => store.close())
  return { store, file }
}

/** The files of an empty store, made once per process: the migrations wait for the disk thirty times. */
let template: Promise<string> | undefined

async function migratedFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-admin-store-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const store = await openAdminStore(join(folder, 'admin.sqlite'))
  await store.close()
  return folder
}

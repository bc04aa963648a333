import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { locateFile } from './file-location.ts'
import { StoreRefusal } from './store-refusal.ts'

const DESK = {
  kind: 'sqlite',
  id: '1',
  name: 'Desk',
  databaseName: '',
  writable: false,
  timeLimitMs: 1000,
} as const

test.each([
  ['', 'Connection String must be the path of a file or folder.'],
  ['sqlite:', 'Connection String must be the path of a file or folder.'],
  [
    '../admin.sqlite',
    /^There is no such file in the allowed folders \(.*\)\. Set BINNACLE_DATABASE_FOLDERS to allow/,
  ],
])("[STORE-7] '%s' is refused by the name that the form gives the field", (connectionString, sentence) => {
  const folder = temporaryFolder()
  const place = () => sqliteAt(connectionString, [folder])
  expect(place).toThrow(StoreRefusal)
  expect(place).toThrow(sentence)
})

test('a name without a folder is looked up in the first folder, and the refusal says so', () => {
  const first = temporaryFolder({ 'here.sqlite': '' })
  const second = temporaryFolder({ 'there.sqlite': '' })
  expect(sqliteAt('here.sqlite', [first, second])).toBe(join(realpathSync(first), 'here.sqlite'))
  expect(() => sqliteAt('there.sqlite', [first, second])).toThrow(
    `(${first}, ${second}). A name without a folder is looked up in ${first}. Set BINNACLE_DATABASE_FOLDERS to allow more folders.`,
  )
  expect(sqliteAt(join(second, 'there.sqlite'), [first, second])).toMatch(/there\.sqlite$/)
})

function sqliteAt(connectionString: string, databaseFolders: string[]): string {
  const access = { dataFolder: `${databaseFolders[0]}/data`, databaseFolders }
  return locateFile({ ...DESK, connectionString }, access, { schemes: ['sqlite:'] })
}

import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { placeOf } from './file-place.ts'
import { StoreRefusal } from './store-refusal.ts'

test.each([
  ['', 'Connection String must be the path of a file or folder.'],
  ['sqlite:', 'Connection String must be the path of a file or folder.'],
  [
    '../admin.sqlite',
    /^Connection String leads to nothing in the allowed folders \(.*\)\. BINNACLE_DATABASE_FOLDERS adds/,
  ],
])("[STORE-7] '%s' is refused by the name that the form gives the field", (connectionString, sentence) => {
  const folder = temporaryFolder()
  const places = { dataFolder: `${folder}/data`, databaseFolders: [folder] }
  const target = { kind: 'sqlite', id: '1', name: 'Desk', databaseName: '', connectionString } as const
  const wanted = { schemes: ['sqlite:'] }
  const place = () => placeOf({ ...target, writable: false, timeLimitMs: 1000 }, places, wanted)
  expect(place).toThrow(StoreRefusal)
  expect(place).toThrow(sentence)
})

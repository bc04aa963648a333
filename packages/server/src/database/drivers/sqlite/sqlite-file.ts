import { statSync } from 'node:fs'
import type { Places, Target } from '#database/drivers/driver.ts'
import { placeOf } from '#database/drivers/file-place.ts'
import { badConnectionString } from '#database/drivers/store-refusal.ts'

/** The real path of a SQLite connection's file. One that is not there yet is made by a writable connection. */
export function sqliteFileOf(target: Target, places: Places): string {
  const file = placeOf(target, places, { schemes: ['sqlite:', 'file:'], mayBeNew: target.writable })
  const found = statSync(file, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile())
    throw badConnectionString('Connection String must lead to a file.')
  return file
}

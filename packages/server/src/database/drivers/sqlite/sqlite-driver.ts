import { statSync } from 'node:fs'
import type { Driver, Places, Target } from '#database/drivers/driver.ts'
import { createHostedDriver } from '#database/drivers/hosted/hosted-driver.ts'
import { unreachableNow } from '#database/drivers/store-refusal.ts'
import { sqliteFileOf } from './sqlite-file.ts'

export function createSqliteDriver(target: Target, places: Places): Driver {
  const { writable, hiddenColumns = [], isOwn = false } = target
  return createHostedDriver({
    kind: 'sqlite',
    can: {
      language: 'sql',
      write: writable,
      explain: true,
      sort: true,
      filter: true,
      backup: true,
      restore: !isOwn,
    },
    place() {
      const file = unreachableNow(() => sqliteFileOf(target, places))
      return { kind: 'sqlite', file, inode: inodeOf(file), writable, hiddenColumns }
    },
  })
}

function inodeOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev}:${found.ino}`
}

import { statSync } from 'node:fs'
import type { Driver, Greeting, Places, Target } from '#database/drivers/driver.ts'
import { createHostedDriver } from '#database/drivers/hosted/hosted-driver.ts'
import { unreachableNow } from '#database/drivers/store-refusal.ts'
import { sqliteFileOf } from './sqlite-file.ts'

export function createSqliteDriver(target: Target, places: Places): Driver {
  const { writable, hiddenColumns = [] } = target
  const fileNow = () => unreachableNow(() => sqliteFileOf(target, places))
  const driver = createHostedDriver({
    kind: 'sqlite',
    can: {
      language: 'sql',
      write: writable,
      explain: true,
      sort: true,
      filter: true,
      backup: true,
      restore: writable,
    },
    place() {
      const file = fileNow()
      return { kind: 'sqlite', file, inode: inodeOf(file), writable, hiddenColumns }
    },
  })
  return {
    ...driver,
    // To open a file that is not there makes it, and a greeting leaves nothing behind.
    ping: async (signal) => (inodeOf(fileNow()) === undefined ? NOT_THERE_YET : driver.ping(signal)),
  }
}

const NOT_THERE_YET: Greeting = {
  version: `SQLite ${process.versions.sqlite}`,
  warnings: ['The file is not there yet. The first statement makes it.'],
}

function inodeOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev}:${found.ino}`
}

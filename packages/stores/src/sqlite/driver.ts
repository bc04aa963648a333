import { statSync } from 'node:fs'
import type { Driver, FolderAccess, ServerInfo, Target } from '#driver.ts'
import { locateFile } from '#file-location.ts'
import { asUnreachable, badConnectionString } from '#store-refusal.ts'
import { createWorkerDriver } from '#worker/worker-driver.ts'

export function createSqliteDriver(target: Target, access: FolderAccess): Driver {
  const { writable, hiddenColumns = [] } = target
  const currentFile = () => asUnreachable(() => sqliteFileOf(target, access))
  const driver = createWorkerDriver({
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
    target() {
      const file = currentFile()
      return { kind: 'sqlite', file, inode: inodeOf(file), writable, hiddenColumns }
    },
  })
  return {
    ...driver,
    // Opening a missing file creates it, and a ping must change nothing.
    ping: async (signal) => (inodeOf(currentFile()) === undefined ? NO_FILE_YET : driver.ping(signal)),
  }
}

/** The real path of a SQLite connection's file. A writable connection may name a file that does not exist yet. */
export function sqliteFileOf(target: Target, access: FolderAccess): string {
  const file = locateFile(target, access, { schemes: ['sqlite:', 'file:'], mayBeNew: target.writable })
  const found = statSync(file, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile())
    throw badConnectionString('Connection String must lead to a file.')
  return file
}

const NO_FILE_YET: ServerInfo = {
  version: `SQLite ${process.versions.sqlite}`,
  warnings: ['The file does not exist yet. The first statement creates it.'],
}

function inodeOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev}:${found.ino}`
}

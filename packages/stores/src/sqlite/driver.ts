import { statSync } from 'node:fs'
import type { ConnectionConfig, Driver, FolderAccess, ServerInfo } from '#driver.ts'
import { locateFile } from '#file-location.ts'
import { asUnreachable, badConnectionString } from '#store-refusal.ts'
import { createWorkerDriver } from '#worker/worker-driver.ts'

export function createSqliteDriver(config: ConnectionConfig, access: FolderAccess): Driver {
  const { writable, hiddenColumns = [] } = config
  const currentFile = () => asUnreachable(() => sqliteFileOf(config, access))
  const driver = createWorkerDriver({
    kind: 'sqlite',
    capabilities: {
      language: 'sql',
      write: writable,
      explain: true,
      sort: true,
      filter: true,
      backup: true,
      restore: writable,
    },
    workerConfig() {
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
export function sqliteFileOf(config: ConnectionConfig, access: FolderAccess): string {
  const file = locateFile(config, access, { schemes: ['sqlite:', 'file:'], mayBeNew: config.writable })
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

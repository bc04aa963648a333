import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditStore } from '#storage/admin/audit-store.ts'
import type { StatementsStore } from '#storage/admin/statements-store.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { openSecretBox } from '#storage/secret-box.ts'
import { createDatabases, type Databases } from './databases.ts'
import type { Places } from './drivers/driver.ts'
import { DATABASES_FOLDER } from './drivers/file-place.ts'
import { createPageMemory, type PageMemory } from './page-memory.ts'
import { createStatements, type Statements } from './statements.ts'

/** What the database-management API works with, one for all listeners: a statement runs once, wherever it was asked. */
export interface DatabaseService {
  databases: Databases
  running: Statements
  pages: PageMemory
  statements: StatementsStore
  audit: Pick<AuditStore, 'record'>
  places: Places
  /** For files that are on their way to a person, gone when the server starts anew. */
  scratch: string
  close(): Promise<void>
}

interface ServiceOptions {
  store: AdminStore
  dataFolder: string
  /** Besides the data folder's own place for people's databases. */
  databaseFolders?: readonly string[]
}

const KEY_FILE = 'secret.key'
const SCRATCH_FOLDER = 'exports'

export function openDatabaseService({
  store,
  dataFolder,
  databaseFolders = [],
}: ServiceOptions): DatabaseService {
  const ownPlace = join(dataFolder, DATABASES_FOLDER)
  mkdirSync(ownPlace, { recursive: true, mode: 0o700 })
  const places = { dataFolder, databaseFolders: [ownPlace, ...databaseFolders] }
  const scratch = emptied(join(dataFolder, SCRATCH_FOLDER))
  const secrets = openSecretBox(join(dataFolder, KEY_FILE))
  const databases = createDatabases({ store: store.connections, secrets, places })
  const pages = createPageMemory()
  const { statements, audit } = store
  const running = createStatements({ databases, statements, audit, pages, now: () => new Date() })
  return {
    ...{ databases, running, pages, statements, audit, places, scratch },
    async close() {
      await running.close()
      await databases.close()
    },
  }
}

/** What a server that was killed left in it is of no use to anybody. */
function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

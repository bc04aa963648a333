import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AllowedHost, FolderAccess } from '@binnacle/stores'
import { DATABASES_FOLDER } from '@binnacle/stores'
import { createTtlCache, type TtlCache } from '#services/ttl-cache.ts'
import type { AuditStore } from '#storage/admin/audit-store.ts'
import type { StatementsStore } from '#storage/admin/statements-store.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { createDatabases, type Databases } from './databases.ts'
import { createPageKeyCache, type PageKeyCache } from './page-key-cache.ts'
import { createStatements, type Statements } from './statements.ts'

/** Shared by all listeners, so that a statement can be cancelled from any of them. */
export interface DatabaseService {
  databases: Databases
  statements: Statements
  pages: PageKeyCache
  /** Table counts and catalog statistics. */
  cache: TtlCache
  /** History and saved queries. */
  statementStore: StatementsStore
  audit: Pick<AuditStore, 'record'>
  access: FolderAccess
  /** Folder for export files, emptied at start. */
  scratch: string
  close(): Promise<void>
}

interface ServiceOptions {
  store: AdminStore
  dataFolder: string
  /** Allowed folders besides the data folder's own. */
  databaseFolders?: readonly string[]
  /** Hosts beyond loopback that connections may reach. */
  databaseHosts?: readonly AllowedHost[]
}

const SCRATCH_FOLDER = 'exports'

export function openDatabaseService({
  store,
  dataFolder,
  databaseFolders = [],
  databaseHosts = [],
}: ServiceOptions): DatabaseService {
  const ownFolder = join(dataFolder, DATABASES_FOLDER)
  mkdirSync(ownFolder, { recursive: true, mode: 0o700 })
  const access = { dataFolder, databaseFolders: [ownFolder, ...databaseFolders], databaseHosts }
  const scratch = recreateFolder(join(dataFolder, SCRATCH_FOLDER))
  const databases = createDatabases({ store: store.connections, secrets: store.secrets, access })
  const pages = createPageKeyCache()
  const cache = createTtlCache(() => Number(store.settings.effectiveValue('cache_ttl')) * 1000)
  const { statements: statementStore, audit } = store
  const statements = createStatements({
    databases,
    statementStore,
    audit,
    pages,
    cache,
    now: () => new Date(),
  })
  return {
    databases,
    statements,
    pages,
    cache,
    statementStore,
    audit,
    access,
    scratch,
    async close() {
      await statements.close()
      await databases.close()
    },
  }
}

/** Removes what a killed server left. */
function recreateFolder(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

import { basename, dirname, join } from 'node:path'
import type { ConnectionConfig, FolderAccess, Source } from '@binnacle/stores'
import { connectionOptions, locateFile, parseRedisAddress, sqliteFileOf } from '@binnacle/stores'
import type { Subject } from '#databases/backups/backup-context.ts'
import type { Databases } from './databases.ts'
import { type OwnTarget, ownStores } from './own-stores.ts'
import { catchRefusal } from './store-refusals.ts'

/** A connection to back up. */
export interface ConnectionSubject extends Subject {
  writable: boolean
  isOwn: boolean
}

export interface BackupSubjects {
  /** Throws a StoreRefusal for an unknown, inactive or invalid connection. */
  find(id: string): Promise<ConnectionSubject>
  /** Whether the connection does not exist. */
  isGone(id: string): Promise<boolean>
  /** All active and valid connections, own stores first. */
  all(): Promise<ConnectionSubject[]>
}

export function createBackupSubjects(databases: Databases, access: FolderAccess): BackupSubjects {
  async function find(id: string): Promise<ConnectionSubject> {
    const { config, identity, driver } = await databases.open(id)
    return {
      id: config.id,
      identity,
      name: config.name,
      writable: config.writable,
      isOwn: config.isOwn === true,
      source: sourceOf(config, access),
      release: () => driver.close(),
    }
  }

  return {
    find,
    async isGone(id) {
      const found = await catchRefusal(() => databases.open(id))
      return !found.ok && found.refusal.code === 'thing.unknown'
    },
    async all() {
      const active = (await databases.list()).filter(({ is_active }) => is_active === 1)
      const found = await Promise.all(active.map(({ id }) => catchRefusal(() => find(String(id)))))
      return found.flatMap((one) => (one.ok ? one.value : []))
    },
  }
}

export interface OwnStore extends Pick<OwnTarget, 'id' | 'name' | 'role' | 'folder'> {
  source: Source
}

/** Binnacle's own stores in a data folder, for the restore command. */
export function ownStoresIn(dataFolder: string): OwnStore[] {
  const access = { dataFolder, databaseFolders: [] }
  return ownStores(dataFolder).map((target) => {
    const { id, name, role, folder } = target
    return { id, name, role, folder, source: sourceOf(target, access) }
  })
}

function sourceOf(config: ConnectionConfig, access: FolderAccess): Source {
  switch (config.kind) {
    case 'sqlite':
      return { type: 'sqlite', file: sqliteFileOf(config, access), ...archiveOf(config) }
    case 'parquet':
      // A missing folder can still be restored.
      return {
        type: 'parquet',
        folder: locateFile(config, access, { ...PARQUET, mayBeNew: config.writable }),
      }
    case 'postgresql':
      return { type: 'postgresql', url: postgresUrlOf(config) }
    case 'redis':
      return { type: 'redis', url: redisUrlOf(config) }
    default:
      return config.kind satisfies never
  }
}

const PARQUET = { schemes: ['parquet:', 'file:'] }

/** Archived entries of the journal belong to its backup. */
function archiveOf({ isOwn, connectionString }: ConnectionConfig): { archiveFolder?: string } {
  const isJournal = isOwn === true && basename(connectionString) === 'journal.sqlite'
  return isJournal ? { archiveFolder: join(dirname(connectionString), 'journal-archive') } : {}
}

function redisUrlOf(config: ConnectionConfig): string {
  const { database } = parseRedisAddress(config)
  const url = new URL(config.connectionString.trim())
  url.pathname = `/${database}`
  return url.href
}

/** The address with the database of the connection. */
function postgresUrlOf(config: ConnectionConfig): string {
  const { database } = connectionOptions(config)
  const url = new URL(config.connectionString.trim())
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}

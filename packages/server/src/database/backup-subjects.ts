import { join } from 'node:path'
import type { Subject } from '#backups/room.ts'
import type { Source } from '#backups/source.ts'
import type { Databases } from './databases.ts'
import { settle } from './drivers/answer-store.ts'
import type { Places, Target } from './drivers/driver.ts'
import { placeOf } from './drivers/file-place.ts'
import { connectionOptions } from './drivers/postgres/connection-options.ts'
import { sqliteFileOf } from './drivers/sqlite/sqlite-file.ts'
import { ownStores } from './own-stores.ts'

/** A connection as something to be backed up. */
export interface ConnectionSubject extends Subject {
  writable: boolean
  isOwn: boolean
}

export interface BackupSubjects {
  /** Throws a StoreRefusal for one that is not there, is switched off or leads nowhere. */
  find(id: string): Promise<ConnectionSubject>
  /** Whether there is no such connection, or none any more. */
  isGone(id: string): Promise<boolean>
  /** Of every active connection that leads somewhere, our own stores first. */
  all(): Promise<ConnectionSubject[]>
}

export function createBackupSubjects(databases: Databases, places: Places): BackupSubjects {
  async function find(id: string): Promise<ConnectionSubject> {
    const { target, driver } = await databases.open(id)
    return {
      id: target.id,
      name: target.name,
      writable: target.writable,
      isOwn: target.isOwn === true,
      source: sourceOf(target, places),
      release: () => driver.close(),
    }
  }

  return {
    find,
    async isGone(id) {
      const found = await settle(() => databases.open(id))
      return !found.ok && found.refusal.code === 'thing.unknown'
    },
    async all() {
      const active = (await databases.list()).filter(({ is_active }) => is_active === 1)
      const found = await Promise.all(active.map(({ id }) => settle(() => find(String(id)))))
      return found.flatMap((one) => (one.ok ? one.value : []))
    },
  }
}

export interface OwnStore {
  id: string
  name: string
  source: Source
}

/** Binnacle's own stores in a data folder, for who restores them while no server runs. */
export function ownStoresIn(dataFolder: string): OwnStore[] {
  const places = { dataFolder, databaseFolders: [] }
  return ownStores(dataFolder).map((target) => ({
    id: target.id,
    name: target.name,
    source: sourceOf(target, places),
  }))
}

function sourceOf(target: Target, places: Places): Source {
  switch (target.kind) {
    case 'sqlite':
      return { type: 'sqlite', file: sqliteFileOf(target, places), ...archiveOf(target, places) }
    case 'parquet':
      // One that is gone must still be there to be restored.
      return { type: 'parquet', folder: placeOf(target, places, { ...PARQUET, mayBeNew: target.writable }) }
    case 'postgresql':
      return { type: 'postgresql', url: postgresUrlOf(target) }
    case 'redis':
      return { type: 'redis', url: target.connectionString.trim() }
    default:
      return target.kind satisfies never
  }
}

const PARQUET = { schemes: ['parquet:', 'file:'] }

/** Entries that left the journal lie in a folder beside it, and without them it is not whole. */
function archiveOf({ id }: Target, { dataFolder }: Places): { archiveFolder?: string } {
  return id === 'binnacle-journal' ? { archiveFolder: join(dataFolder, 'journal-archive') } : {}
}

/** The address with the database that the connection's own field names. */
function postgresUrlOf(target: Target): string {
  const { database } = connectionOptions(target)
  const url = new URL(target.connectionString.trim())
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}

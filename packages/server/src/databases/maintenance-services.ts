import type { PostgresTools } from '@binnacle/stores'
import { createBackupDrivers } from '@binnacle/stores'
import { type Backups, openBackups } from '#databases/backups/backups.ts'
import { type BackupBatches, batchContext, createBackupBatches } from '#databases/backups/batch.ts'
import { createDataExports, type DataExports } from '#databases/maintenance/data-exports.ts'
import { createManagedStores, type ManagedStores } from '#databases/maintenance/managed-stores.ts'
import type { StoreBackups } from '#services/maintenance.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { type BackupSubjects, createBackupSubjects } from './backup-subjects.ts'
import type { DatabaseService } from './database-service.ts'

/** Backups of every connection and the stores that maintenance works on. */
export interface MaintenanceServices {
  backups: Backups
  subjects: BackupSubjects
  batches: BackupBatches
  stores: ManagedStores
  storeBackups: StoreBackups
  exports: DataExports
}

export interface MaintenanceServicesOptions {
  /** The folder of the backups. */
  folder: string
  store: AdminStore
  database: DatabaseService
  postgresTools?: PostgresTools
  postgresUrl?: string | undefined
  redisUrl?: string | undefined
  note?: (event: string, message: string) => void
}

export async function openMaintenanceServices(
  options: MaintenanceServicesOptions,
): Promise<MaintenanceServices> {
  const { folder, store, database, postgresTools = { path: '' }, postgresUrl, redisUrl, note } = options
  const connections = createBackupSubjects(database.databases, database.access)
  const backups = await openBackups({
    folder,
    store,
    driverFor: createBackupDrivers(postgresTools),
    ...(note && { note }),
  })
  const stores = createManagedStores({ postgresUrl, redisUrl, connections: () => connections.all() })
  const subjects = withConfigured(connections, stores)
  // In the background: a store that does not answer must not delay the start.
  void stores
    .all()
    .then((all) => backups.clearStaging(all))
    .catch((fault: Error) => note?.('restore.not-cleared', fault.message))
  const batches = createBackupBatches(backups)
  const storeBackups: StoreBackups = {
    backUpAll: async (control) => batches.backUp(batchContext(), await stores.all(), control),
    drillAll: async (control) => batches.drill(await stores.all(), control),
  }
  return { backups, subjects, batches, stores, storeBackups, exports: createDataExports(database) }
}

/** The backups of a configured store are listed and restored like those of a connection, by the store's id. */
function withConfigured(connections: BackupSubjects, { configured }: ManagedStores): BackupSubjects {
  const configuredStore = (id: string) => configured.find((store) => store.id === id)
  return {
    ...connections,
    async find(id) {
      const store = configuredStore(id)
      return store === undefined ? connections.find(id) : { ...store, isOwn: false }
    },
    isGone: async (id) => configuredStore(id) === undefined && connections.isGone(id),
  }
}

import { join } from 'node:path'
import { type AtEnd, temporaryFolder } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'
import { type DatabaseService, openDatabaseService } from '#databases/database-service.ts'
import { type MaintenanceServices, openMaintenanceServices } from '#databases/maintenance-services.ts'
import type { AdminStore } from '#storage/admin-store.ts'

/** The database service on a new data folder, closed after the test. */
export function newDatabaseService(store: AdminStore, atEnd: AtEnd = onTestFinished): DatabaseService {
  const dataFolder = temporaryFolder({ 'catalog/README': 'Market data' }, atEnd)
  const service = openDatabaseService({ store, dataFolder })
  atEnd(() => service.close())
  return service
}

export interface DatabaseParts {
  database: DatabaseService
  maintenanceServices: MaintenanceServices
}

/** The service with its backups. */
export async function newDatabaseAppOptions(
  store: AdminStore,
  options: { atEnd?: AtEnd; backupFolder?: string } = {},
): Promise<DatabaseParts> {
  const { atEnd = onTestFinished, backupFolder } = options
  const database = newDatabaseService(store, atEnd)
  const folder = backupFolder ?? join(temporaryFolder({}, atEnd), 'backups')
  return { database, maintenanceServices: await openMaintenanceServices({ folder, store, database }) }
}

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type DatabaseService, openDatabaseService } from '#database/database-service.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { openUpkeep, type Upkeep } from '#upkeep.ts'
import { type AtEnd, temporaryFolder } from './temporary-folder.ts'

/** The database service on a new data folder, its processes gone when the test is over. */
export function newDatabaseService(store: AdminStore, atEnd: AtEnd = onTestFinished): DatabaseService {
  const dataFolder = temporaryFolder({ 'catalog/README': 'Market data' }, atEnd)
  const service = openDatabaseService({ store, dataFolder })
  atEnd(() => service.close())
  return service
}

export interface DatabaseParts {
  database: DatabaseService
  upkeep: Upkeep
}

/** The service with its backups, as the apps need both. */
export async function newDatabaseNeeds(
  store: AdminStore,
  atEnd: AtEnd = onTestFinished,
): Promise<DatabaseParts> {
  const database = newDatabaseService(store, atEnd)
  const folder = join(temporaryFolder({}, atEnd), 'backups')
  return { database, upkeep: await openUpkeep({ folder, store, database }) }
}

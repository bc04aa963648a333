import { onTestFinished } from 'vitest'
import { type DatabaseService, openDatabaseService } from '#database/database-service.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { type AtEnd, temporaryFolder } from './temporary-folder.ts'

/** The database service on a new data folder, its processes gone when the test is over. */
export function newDatabaseService(store: AdminStore, atEnd: AtEnd = onTestFinished): DatabaseService {
  const service = openDatabaseService({ store, dataFolder: temporaryFolder({}, atEnd) })
  atEnd(() => service.close())
  return service
}

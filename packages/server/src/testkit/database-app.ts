import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { addDatabaseApp } from '#database/app.ts'
import type { DatabaseService } from '#database/database-service.ts'
import { createHttpApp } from '#http/app.ts'
import { createJobs } from '#jobs/job-runner.ts'
import { newAdminStore, type TestStore } from './admin-store.ts'
import { newDatabaseNeeds } from './database-service.ts'
import { silentLog } from './silent-log.ts'
import type { AtEnd } from './temporary-folder.ts'

export interface TestDatabase extends TestStore {
  app: FastifyInstance
  service: DatabaseService
  /** Where connections may lead. */
  folder: string
  get(url: string): Promise<LightMyRequestResponse>
  send(method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<LightMyRequestResponse>
}

/** The database API on a new data folder, without sockets. */
export async function newDatabaseApp(atEnd: AtEnd = onTestFinished): Promise<TestDatabase> {
  const { store, file } = await newAdminStore(atEnd)
  const parts = await newDatabaseNeeds(store, atEnd)
  const app = createHttpApp({ logger: silentLog })
  addDatabaseApp(app, { ...parts, jobs: createJobs({ store: store.jobs }) })
  return {
    ...{ app, store, file, service: parts.database },
    folder: parts.database.places.databaseFolders[0] ?? '',
    get: (url) => app.inject({ method: 'GET', url }),
    send: (method, url, body) => app.inject({ method, url, ...(body && { payload: body }) }),
  }
}

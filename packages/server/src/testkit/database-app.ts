import type { AtEnd } from '@binnacle/stores/testkit'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { addDatabaseApp } from '#databases/app.ts'
import type { DatabaseService } from '#databases/database-service.ts'
import { createHttpApp } from '#http/app.ts'
import { createJobs } from '#services/jobs/job-runner.ts'
import { newAdminStore, type TestStore } from './admin-store.ts'
import { newDatabaseAppOptions } from './database-service.ts'
import { silentLog } from './silent-log.ts'

export interface TestDatabase extends TestStore {
  app: FastifyInstance
  service: DatabaseService
  /** The folder for database files. */
  folder: string
  get(url: string): Promise<LightMyRequestResponse>
  send(method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<LightMyRequestResponse>
}

/** The database API on a new data folder, without sockets. */
export async function newDatabaseApp(atEnd: AtEnd = onTestFinished): Promise<TestDatabase> {
  const { store, file } = await newAdminStore(atEnd)
  const parts = await newDatabaseAppOptions(store, { atEnd })
  const app = createHttpApp({ logger: silentLog })
  addDatabaseApp(app, { ...parts, jobs: createJobs({ store: store.jobs }) })
  return {
    app,
    store,
    file,
    service: parts.database,
    folder: parts.database.access.databaseFolders[0] ?? '',
    get: (url) => app.inject({ method: 'GET', url }),
    send: (method, url, body) => app.inject({ method, url, ...(body && { payload: body }) }),
  }
}

import { callsOf } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mountUnbuilt } from '#http/mount.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import { addBackupsRoutes, addRetentionRoutes, type BackupRouteOptions } from './backups.routes.ts'
import { addConnectionsRoutes } from './connections.routes.ts'
import type { DatabaseService } from './database-service.ts'
import { addQueriesRoutes, addSavedQueriesRoutes } from './queries.routes.ts'
import { addTablesRoutes } from './tables.routes.ts'

export interface DatabaseAppOptions {
  database: DatabaseService
  jobs: Jobs
  maintenanceServices: Omit<BackupRouteOptions, 'jobs'>
}

/** Adds the database-management API to a listener's app. */
export function addDatabaseApp(
  app: FastifyInstance,
  { database, jobs, maintenanceServices }: DatabaseAppOptions,
): void {
  addConnectionsRoutes(app, database)
  addTablesRoutes(app, database)
  addQueriesRoutes(app, database)
  addSavedQueriesRoutes(app, database)
  addBackupsRoutes(app, { ...maintenanceServices, jobs })
  addRetentionRoutes(app, maintenanceServices)
  mountUnbuilt(app, callsOf('database'))
}

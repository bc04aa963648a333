import { type App, adminHealth, callsOf, VERSION } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount, mountUnbuilt } from '#http/mount.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { addApiConfigsRoutes } from './api-configs.routes.ts'
import { addAuditLogsRoutes } from './audit-logs.routes.ts'
import { addRoutesRoutes } from './routes.routes.ts'
import { addServicesRoutes } from './services.routes.ts'
import { addSettingsRoutes } from './settings.routes.ts'
import { addUsersRoutes } from './users.routes.ts'

export interface AdminNeeds {
  store: AdminStore
  /** Where an app of ours listens. */
  urlOf: (app: App) => string
}

/** Adds the admin database API to a listener's app. */
export function addAdminApp(app: FastifyInstance, { store, urlOf }: AdminNeeds): void {
  mount(app, adminHealth.check, () => ({ status: 'ok', version: VERSION }))
  addSettingsRoutes(app, store.settings)
  addUsersRoutes(app, store.users)
  addApiConfigsRoutes(app, store.apiConfigs)
  addServicesRoutes(app, store.services, urlOf)
  addRoutesRoutes(app, store)
  addAuditLogsRoutes(app, store.audit)
  mountUnbuilt(app, callsOf('admin'))
}

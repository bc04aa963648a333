import { type App, adminHealth, callsOf, VERSION } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount, mountUnbuilt } from '#http/mount.ts'
import type { Jobs } from '#jobs/job-runner.ts'
import type { Outbound } from '#outbound/outbound.ts'
import type { ServiceProbes } from '#outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { addApiConfigsRoutes } from './api-configs.routes.ts'
import { addAuditLogsRoutes, type Settle } from './audit-logs.routes.ts'
import { addJobsRoutes } from './jobs.routes.ts'
import { addProbesRoutes } from './probes.routes.ts'
import { addRouteTestsRoutes } from './route-tests.routes.ts'
import { addRoutesRoutes } from './routes.routes.ts'
import { addServicesRoutes } from './services.routes.ts'
import { addSettingsRoutes } from './settings.routes.ts'
import { addTasksRoutes, type TaskNeeds } from './tasks.routes.ts'
import { addUsersRoutes } from './users.routes.ts'

export interface AdminNeeds extends TaskNeeds {
  store: AdminStore
  /** Where an app of ours listens. */
  urlOf: (app: App) => string
  outbound: Outbound
  probes: ServiceProbes
  jobs: Jobs
  /** Resolves when the audit log has what happened elsewhere, such as on the desk. */
  settleAudit?: Settle
}

/** Adds the admin database API to a listener's app. */
export function addAdminApp(app: FastifyInstance, needs: AdminNeeds): void {
  const { store, urlOf, probes, jobs, settleAudit = async () => {} } = needs
  mount(app, adminHealth.check, () => ({ status: 'ok', version: VERSION }))
  addSettingsRoutes(app, store.settings)
  addUsersRoutes(app, store.users)
  addApiConfigsRoutes(app, store.apiConfigs)
  addServicesRoutes(app, store.services, urlOf)
  addProbesRoutes(app, probes)
  addRoutesRoutes(app, store)
  addRouteTestsRoutes(app, needs)
  addJobsRoutes(app, jobs)
  addTasksRoutes(app, needs)
  addAuditLogsRoutes(app, store.audit, settleAudit)
  mountUnbuilt(app, callsOf('admin'))
}

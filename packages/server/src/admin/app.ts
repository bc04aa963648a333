import { type App, adminHealth, callsOf, VERSION } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount, mountUnbuilt } from '#http/mount.ts'
import type { AuditAnchor } from '#services/audit/audit-anchor.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import type { Channels } from '#services/notifications/channels.ts'
import type { Outbound } from '#services/outbound/outbound.ts'
import type { ServiceProbes } from '#services/outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { addApiConfigsRoutes } from './api-configs.routes.ts'
import { addAuditLogsRoutes, type WaitForAudit } from './audit-logs.routes.ts'
import { addJobsRoutes } from './jobs.routes.ts'
import { addMonitoringRoutes, type MonitoringRouteOptions } from './monitoring.routes.ts'
import { addNotificationRoutes } from './notifications.routes.ts'
import { addProbesRoutes } from './probes.routes.ts'
import { addRouteTestsRoutes } from './route-tests.routes.ts'
import { addRoutesRoutes } from './routes.routes.ts'
import { addServicesRoutes } from './services.routes.ts'
import { addSettingsRoutes } from './settings.routes.ts'
import { addSystemSettingsRoutes } from './system-settings.routes.ts'
import { addTasksRoutes, type TaskRouteOptions } from './tasks.routes.ts'
import { addUsersRoutes } from './users.routes.ts'

export interface AdminAppOptions extends TaskRouteOptions {
  store: AdminStore
  /** The address of one of this server's own APIs. */
  urlOf: (app: App) => string
  outbound: Outbound
  probes: ServiceProbes
  jobs: Jobs
  channels: Channels
  /** Resolves when pending records, such as those of the trading journal, are in the audit log. */
  waitForAudit?: WaitForAudit
  /** Without it the audit log is not anchored. */
  anchor?: AuditAnchor | undefined
  /** Without it the calls of monitoring are not served. */
  monitoring?: MonitoringRouteOptions | undefined
}

/** Adds the admin database API to a listener's app. */
export function addAdminApp(app: FastifyInstance, options: AdminAppOptions): void {
  const { store, urlOf, probes, jobs, anchor, monitoring, waitForAudit = async () => {} } = options
  mount(app, adminHealth.check, () => ({ status: 'ok', version: VERSION }))
  addSettingsRoutes(app, store.settings)
  addSystemSettingsRoutes(app, store.settings)
  addNotificationRoutes(app, options.channels, store.audit)
  addUsersRoutes(app, store.users)
  addApiConfigsRoutes(app, store.apiConfigs)
  addServicesRoutes(app, store.services, urlOf)
  addProbesRoutes(app, probes)
  addRoutesRoutes(app, store)
  addRouteTestsRoutes(app, options)
  addJobsRoutes(app, jobs)
  addTasksRoutes(app, options)
  addAuditLogsRoutes(app, store.audit, { waitForAudit, anchor })
  if (monitoring !== undefined) addMonitoringRoutes(app, monitoring)
  mountUnbuilt(app, callsOf('admin'))
}

import type { AdminTables } from './admin/admin-tables.ts'
import { type ApiConfigsStore, createApiConfigsStore } from './admin/api-configs-store.ts'
import { type AuditStore, createAuditStore } from './admin/audit-store.ts'
import { createAudited } from './admin/audited.ts'
import { type BacktestsStore, openBacktestsStore } from './admin/backtests-store.ts'
import { type BackupsStore, createBackupsStore } from './admin/backups-store.ts'
import { type ConnectionsStore, createConnectionsStore } from './admin/connections-store.ts'
import { type JobsStore, openJobsStore } from './admin/jobs-store.ts'
import { createRoutesStore, type RoutesStore } from './admin/routes-store.ts'
import { createServicesStore, type ServicesStore } from './admin/services-store.ts'
import { createSettingsStore, type SettingsStore } from './admin/settings-store.ts'
import { createStatementsStore, type StatementsStore } from './admin/statements-store.ts'
import { openSwitchesStore, type SwitchesStore } from './admin/switches-store.ts'
import { openTaskRunsStore, type TaskRunsStore } from './admin/task-runs-store.ts'
import { createTasksStore, type TasksStore } from './admin/tasks-store.ts'
import { createUsersStore, type UsersStore } from './admin/users-store.ts'
import { ADMIN_MIGRATIONS } from './admin-migrations.ts'
import { openMigrated } from './migrate.ts'

/** What administrators keep, one store per table, every change with its line in the audit log. */
export interface AdminStore {
  settings: SettingsStore
  users: UsersStore
  apiConfigs: ApiConfigsStore
  services: ServicesStore
  routes: RoutesStore
  switches: SwitchesStore
  connections: ConnectionsStore
  statements: StatementsStore
  jobs: JobsStore
  backtests: BacktestsStore
  tasks: TasksStore
  taskRuns: TaskRunsStore
  backups: BackupsStore
  audit: AuditStore
  close(): Promise<void>
}

/** Opens the store and brings it to its newest form, creating and seeding it the first time. */
export async function openAdminStore(file: string, now = () => new Date()): Promise<AdminStore> {
  const db = await openMigrated<AdminTables>(file, ADMIN_MIGRATIONS)
  const audited = createAudited(db, now)
  return {
    settings: createSettingsStore(db, audited),
    users: createUsersStore(db, audited),
    apiConfigs: createApiConfigsStore(db, audited),
    services: createServicesStore(db, audited),
    routes: createRoutesStore(db, audited),
    switches: await openSwitchesStore(db, audited),
    connections: createConnectionsStore(db, audited),
    statements: createStatementsStore(db, audited),
    jobs: await openJobsStore(db, audited, now),
    backtests: await openBacktestsStore(db, audited, now),
    tasks: createTasksStore(db, audited),
    taskRuns: await openTaskRunsStore(db, audited, now),
    backups: createBackupsStore(db, audited),
    audit: createAuditStore(db, audited, file),
    close: () => db.destroy(),
  }
}

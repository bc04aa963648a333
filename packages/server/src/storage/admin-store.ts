import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartRefusal } from '#config/start-refusal.ts'
import { type AdaptersStore, createAdaptersStore } from '#storage/admin/adapters-store.ts'
import type { AdminTables } from '#storage/admin/admin-tables.ts'
import { type AlertsStore, createAlertsStore } from '#storage/admin/alerts-store.ts'
import { type ApiConfigsStore, createApiConfigsStore } from '#storage/admin/api-configs-store.ts'
import { type AuditStore, openAuditStore } from '#storage/admin/audit-store.ts'
import { createAudited } from '#storage/admin/audited.ts'
import { type BacktestsStore, openBacktestsStore } from '#storage/admin/backtests-store.ts'
import { type BackupsStore, createBackupsStore } from '#storage/admin/backups-store.ts'
import { type ConnectionsStore, createConnectionsStore } from '#storage/admin/connections-store.ts'
import { type JobsStore, openJobsStore } from '#storage/admin/jobs-store.ts'
import { createModulesStore, type ModulesStore } from '#storage/admin/modules-store.ts'
import { createProbesStore, type ProbesStore } from '#storage/admin/probes-store.ts'
import { createRoutesStore, type RoutesStore } from '#storage/admin/routes-store.ts'
import { createServicesStore, type ServicesStore } from '#storage/admin/services-store.ts'
import { openSettingsStore, type SettingsStore } from '#storage/admin/settings-store.ts'
import { createStatementsStore, type StatementsStore } from '#storage/admin/statements-store.ts'
import { openSweepsStore, type SweepsStore } from '#storage/admin/sweeps-store.ts'
import { openSwitchesStore, type SwitchesStore } from '#storage/admin/switches-store.ts'
import { openTaskRunsStore, type TaskRunsStore } from '#storage/admin/task-runs-store.ts'
import { createTasksStore, type TasksStore } from '#storage/admin/tasks-store.ts'
import { createUsersStore, type UsersStore } from '#storage/admin/users-store.ts'
import { NO_MARKER, openHeadMarker } from '#storage/audit/head-marker.ts'
import { adminMigrations } from './admin-migrations.ts'
import { AUDIT_HEAD_FILE } from './data-folder.ts'
import { openMigrated, refuseUnusable } from './migrate.ts'
import { findLostKey } from './sealed-values.ts'
import { type SecretBox, secretBoxBeside } from './secret-box.ts'

/** The administrators' data, one store per table. Every change writes its audit record. */
export interface AdminStore {
  settings: SettingsStore
  users: UsersStore
  apiConfigs: ApiConfigsStore
  services: ServicesStore
  probes: ProbesStore
  routes: RoutesStore
  switches: SwitchesStore
  connections: ConnectionsStore
  statements: StatementsStore
  jobs: JobsStore
  backtests: BacktestsStore
  sweeps: SweepsStore
  modules: ModulesStore
  tasks: TasksStore
  taskRuns: TaskRunsStore
  backups: BackupsStore
  adapters: AdaptersStore
  alerts: AlertsStore
  audit: AuditStore
  /** Seals the secrets of this store. */
  secrets: SecretBox
  close(): Promise<void>
}

/** Opens the store and runs its migrations, which create and seed it the first time. */
export async function openAdminStore(file: string, now = () => new Date()): Promise<AdminStore> {
  if (file !== ':memory:' && existsSync(file)) refuseLostKey(file)
  const secrets = secretBoxBeside(file)
  const db = await openMigrated<AdminTables>(file, adminMigrations(secrets))
  const marker = file === ':memory:' ? NO_MARKER : openHeadMarker(join(dirname(file), AUDIT_HEAD_FILE))
  const audited = createAudited(db, now, marker.write)
  const audit = await openAuditStore({ db, audited, file, marker })
  return {
    settings: await openSettingsStore({ db, audited: audited, secrets, now }),
    users: createUsersStore(db, audited),
    apiConfigs: createApiConfigsStore(db, audited, secrets),
    services: createServicesStore(db, audited, secrets),
    probes: createProbesStore(db),
    routes: createRoutesStore(db, audited, secrets),
    switches: await openSwitchesStore(db, audited),
    connections: createConnectionsStore(db, audited),
    statements: createStatementsStore(db, audited),
    jobs: await openJobsStore(db, audited, now),
    backtests: await openBacktestsStore(db, audited, now),
    sweeps: await openSweepsStore(db, audited, now),
    modules: createModulesStore(db, audited, now),
    tasks: createTasksStore(db, audited),
    taskRuns: await openTaskRunsStore(db, audited, now),
    backups: createBackupsStore(db, audited),
    adapters: createAdaptersStore(db, audited, { secrets, now }),
    alerts: createAlertsStore(db, audited, secrets),
    audit,
    secrets,
    async close() {
      await db.destroy()
      marker.close()
    },
  }
}

/** A new key in the place of a lost one would open nothing that the store has sealed. */
function refuseLostKey(file: string): void {
  const lost = lostKeyOf(file)
  if (lost !== undefined) throw new StartRefusal(`${lost.text}. ${lost.remedy}`)
}

function lostKeyOf(file: string) {
  try {
    return findLostKey(file)
  } catch (fault) {
    return refuseUnusable(file, Object(fault))
  }
}

import { createAdapters } from '#storage/migrations/adapters.ts'
import { createAlerts } from '#storage/migrations/alerts.ts'
import { createApiConfigs } from '#storage/migrations/api-configs.ts'
import {
  createAuditLog,
  createEngineMarks,
  createJournalMark,
  indexAuditRequests,
} from '#storage/migrations/audit-log.ts'
import { createBacktestLabels, createBacktests } from '#storage/migrations/backtests.ts'
import { createBackups } from '#storage/migrations/backups.ts'
import { addConnectionIdentities } from '#storage/migrations/connection-identities.ts'
import { addPrivilegedRole, createConnections, createStatements } from '#storage/migrations/connections.ts'
import { createJobs } from '#storage/migrations/jobs.ts'
import { createModuleVersions } from '#storage/migrations/module-versions.ts'
import { sealSecrets } from '#storage/migrations/sealed-secrets.ts'
import { createServiceProbes } from '#storage/migrations/service-probes.ts'
import { createRoutes, createServices, seedServices } from '#storage/migrations/services.ts'
import { createSettingVersions } from '#storage/migrations/setting-versions.ts'
import { createSettings, seedSettings } from '#storage/migrations/settings.ts'
import { createSweepTables } from '#storage/migrations/sweeps.ts'
import { createTasks, seedStoreCheck } from '#storage/migrations/tasks.ts'
import { createUsers, seedAdmin } from '#storage/migrations/users.ts'
import type { Migrations } from './migrate.ts'
import type { SecretBox } from './secret-box.ts'

/** The admin store's migrations, oldest first. A released migration never changes: a correction is a new one. */
export function adminMigrations(secrets: SecretBox): Migrations {
  return {
    '0001-settings': { up: createSettings },
    '0002-first-settings': { up: seedSettings },
    '0003-audit-log': { up: createAuditLog },
    '0004-users': { up: createUsers },
    '0005-first-admin': { up: seedAdmin },
    '0006-api-configs': { up: createApiConfigs },
    '0007-services': { up: createServices },
    '0008-our-services': { up: seedServices },
    '0009-routes': { up: createRoutes },
    '0010-jobs': { up: createJobs },
    '0011-tasks': { up: createTasks },
    '0012-audit-journal-mark': { up: createJournalMark },
    '0014-backups': { up: createBackups },
    '0015-connections': { up: createConnections },
    '0016-statements': { up: createStatements },
    '0017-backtests': { up: createBacktests },
    '0019-privileged-role': { up: addPrivilegedRole },
    '0020-connection-identities': { up: addConnectionIdentities },
    '0021-sealed-secrets': { up: (db) => sealSecrets(db, secrets) },
    '0022-store-check': { up: seedStoreCheck },
    '0023-backtest-labels': { up: createBacktestLabels },
    '0024-alerts': { up: createAlerts },
    '0025-sweeps': { up: createSweepTables },
    '0026-audit-requests': { up: indexAuditRequests },
    '0027-service-probes': { up: createServiceProbes },
    '0028-module-versions': { up: createModuleVersions },
    '0029-setting-versions': { up: createSettingVersions },
    '0030-adapters': { up: createAdapters },
    '0031-audit-engine-marks': { up: createEngineMarks },
  }
}

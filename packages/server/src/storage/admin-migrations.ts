import type { Migrations } from './migrate.ts'
import { createApiConfigs } from './migrations/api-configs.ts'
import { followJournal } from './migrations/audit-journal-mark.ts'
import { createAuditLog } from './migrations/audit-log.ts'
import { createBacktests } from './migrations/backtests.ts'
import { createBackups } from './migrations/backups.ts'
import { createConnections, createStatements } from './migrations/connections.ts'
import { createJobs } from './migrations/jobs.ts'
import { createRoutes, createServices, seedServices } from './migrations/services.ts'
import { createSettings, seedSettings } from './migrations/settings.ts'
import { createTasks } from './migrations/tasks.ts'
import { createUsers, seedAdmin } from './migrations/users.ts'

/** The admin store's history, oldest first. What has been released is never edited, only followed. */
export const ADMIN_MIGRATIONS: Migrations = {
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
  '0012-audit-journal-mark': { up: followJournal },
  '0014-backups': { up: createBackups },
  '0015-connections': { up: createConnections },
  '0016-statements': { up: createStatements },
  '0017-backtests': { up: createBacktests },
}

import { MS_PER_DAY } from '@binnacle/engine'
import type { BackupRow } from '#storage/admin/admin-tables.ts'

/** A backup expires when it is not among the newest and is older than the days. The newest completed one never expires. */
export interface Retention {
  keepNewest: number
  keepDays: number
}

export const DEFAULT_RETENTION: Retention = { keepNewest: 10, keepDays: 30 }

/** The expired ones of a connection's backups, which are sorted newest first. */
export function findExpired(rows: readonly BackupRow[], retention: Retention, now: Date): BackupRow[] {
  const before = new Date(now.getTime() - retention.keepDays * MS_PER_DAY).toISOString()
  const newest = new Set(rows.filter(({ status }) => status === 'completed').slice(0, retention.keepNewest))
  return rows.filter((row) => !newest.has(row) && row.created_at < before)
}

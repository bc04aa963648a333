import type { BackupRow } from '#storage/admin/admin-tables.ts'

/** A backup goes when it is beyond the newest and older than the days; the newest whole one never does. */
export interface Retention {
  keepNewest: number
  keepDays: number
}

export const DEFAULT_RETENTION: Retention = { keepNewest: 10, keepDays: 30 }

const DAY_MS = 24 * 60 * 60 * 1000

/** Those to be removed, out of a connection's backups, the newest first. */
export function expired(rows: readonly BackupRow[], kept: Retention, now: Date): BackupRow[] {
  const before = new Date(now.getTime() - kept.keepDays * DAY_MS).toISOString()
  const newest = new Set(rows.filter(({ status }) => status === 'completed').slice(0, kept.keepNewest))
  return rows.filter((row) => !newest.has(row) && row.created_at < before)
}

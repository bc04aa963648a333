import type { Backup, BackupDrill } from '@binnacle/contract'
import type { Subject } from '#databases/backups/backup-context.ts'
import type { BackupView } from '#databases/backups/backups.ts'
import type { DrillReport } from '#databases/backups/drill.ts'
import { isSameTarget, targetOf } from '#databases/backups/target.ts'

/** Without a subject, for backups of a removed connection. */
export function backupToWire(backup: BackupView, subject?: Subject): Backup {
  const { id, backup_type, bytes, path, status, created_at, connection_name, target } = backup
  const isElsewhere = subject !== undefined && !isSameTarget(backup, subject)
  return {
    id,
    backup_type,
    backup_size: bytes,
    backup_path: path,
    status,
    created_at,
    connection_name,
    ...(target !== '' && { target }),
    ...(isElsewhere && { confirm_target: targetOf(subject.source) }),
  }
}

export function drillToWire({ backup, counts, files, sha256, durationMs }: DrillReport): BackupDrill {
  const parts = Object.values(counts)
  const rows = parts.reduce((sum, count) => sum + count, 0)
  const seconds = (durationMs / 1000).toFixed(1)
  return {
    success: true,
    message: `Backup ${backup.id} restores: ${rows} rows in ${parts.length} parts, in ${seconds} s`,
    backup_id: backup.id,
    created_at: backup.created_at,
    counts,
    files,
    sha256,
    duration_ms: Math.round(durationMs),
  }
}

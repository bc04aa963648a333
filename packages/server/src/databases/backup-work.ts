import type { Subject } from '#databases/backups/backup-context.ts'
import type { Backups } from '#databases/backups/backups.ts'
import type { JobWork } from '#services/jobs/job.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { drillToWire } from './backups.wire.ts'

/** The result of each job is the reply of its call, so a client that polls the job gets the same reply. */
export function backupWork(backups: Backups, audit: AuditContext, subject: Subject) {
  return {
    kind: `backup.${subject.id}`,
    title: `Back up ${subject.name}`,
    async run(control) {
      const { bytes, warnings } = await backups.make(audit, subject, control)
      return { success: true, backup_size: bytes, ...(warnings.length > 0 && { warnings }) } as const
    },
  } satisfies JobWork<unknown>
}

export function restoreWork(backups: Backups, audit: AuditContext, subject: Subject, backupId: number) {
  return {
    kind: `restore.${subject.id}`,
    title: `Restore ${subject.name} from backup ${backupId}`,
    async run(control) {
      await backups.restore(audit, subject, backupId, control)
      return { success: true } as const
    },
  } satisfies JobWork<unknown>
}

export function drillWork(backups: Backups, subject: Subject) {
  return {
    kind: 'drill',
    title: `Restore drill of ${subject.name}`,
    run: async (control) => drillToWire(await backups.drill(subject, control)),
  } satisfies JobWork<unknown>
}

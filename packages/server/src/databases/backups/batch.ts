import { type JobControl, JobFailure } from '@binnacle/stores'
import type { BatchReport } from '#services/maintenance.ts'
import { type AuditContext, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { Subject } from './backup-context.ts'
import type { Backups } from './backups.ts'

/** Backups and drills of many stores, one after another. A failure does not stop the rest. */
export interface BackupBatches {
  backUp(audit: AuditContext, subjects: readonly Subject[], control: JobControl): Promise<BatchReport>
  /** Drills the stores that have a completed backup. */
  drill(subjects: readonly Subject[], control: JobControl): Promise<BatchReport>
}

export function createBackupBatches(backups: Backups): BackupBatches {
  return {
    backUp: (audit, subjects, control) =>
      forEachStore(subjects, control, (subject) => backups.make(audit, subject, control)),
    async drill(subjects, control) {
      const covered: Subject[] = []
      for (const subject of subjects) if (await hasBackup(backups, subject)) covered.push(subject)
      return forEachStore(covered, control, async (subject) => (await backups.drill(subject, control)).backup)
    },
  }
}

/** The audit context of a scheduled batch. */
export function batchContext(): AuditContext {
  return serverAuditContext('backups.round')
}

async function hasBackup(backups: Backups, { identity }: Subject): Promise<boolean> {
  return (await backups.list(identity)).some(({ status }) => status === 'completed')
}

async function forEachStore(
  subjects: readonly Subject[],
  control: JobControl,
  work: (subject: Subject) => Promise<{ id: number; bytes: number; warnings?: string[] }>,
): Promise<BatchReport> {
  const report: BatchReport = { done: [], failed: [] }
  const faults: unknown[] = []
  for (const subject of subjects) {
    try {
      const { id, bytes, warnings = [] } = await work(subject)
      report.done.push({ connection: subject.name, backup: id, bytes, warnings })
      control.log(`${subject.name}: backup ${id}, ${bytes} bytes.`)
    } catch (fault) {
      control.signal.throwIfAborted()
      const failure =
        fault instanceof JobFailure ? fault : new JobFailure('Internal error. See the server log.')
      if (failure !== fault) faults.push(fault)
      const { message: error, isUnreachable: isUnreached } = failure
      report.failed.push({ connection: subject.name, error, isUnreached })
      control.log(`${subject.name}: ${error}`)
    }
  }
  // An unexpected error goes to the server log, after the other stores were processed.
  if (faults.length > 0) throw faults[0]
  return report
}

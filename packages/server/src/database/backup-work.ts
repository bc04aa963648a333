import type { Act } from '#audit/act.ts'
import type { Backups } from '#backups/backups.ts'
import type { Subject } from '#backups/room.ts'
import type { JobWork } from '#jobs/job.ts'
import { drillToWire } from './backups.wire.ts'

/** The result of each is the reply of its call, so that whoever follows the job gets what the call would have said. */
export function backupWork(backups: Backups, act: Act, subject: Subject) {
  return {
    kind: 'backup',
    title: `Back up ${subject.name}`,
    async run(control) {
      const { bytes } = await backups.make(act, subject, control)
      return { success: true, backup_size: bytes } as const
    },
  } satisfies JobWork<unknown>
}

export function restoreWork(backups: Backups, act: Act, subject: Subject, backupId: number) {
  return {
    kind: 'restore',
    title: `Restore ${subject.name} from backup ${backupId}`,
    async run(control) {
      await backups.restore(act, subject, backupId, control)
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

import { type Act, actOfServer } from '#audit/act.ts'
import { type JobControl, JobFailure, Unreached } from '#jobs/job.ts'
import type { Backups } from './backups.ts'
import type { Subject } from './room.ts'

/** Work on many connections, one after another; one that fails stops none of the others. */
export interface Rounds {
  backUp(act: Act, subjects: readonly Subject[], control: JobControl): Promise<RoundReport>
  /** Those that have a backup. */
  drill(subjects: readonly Subject[], control: JobControl): Promise<RoundReport>
}

export interface RoundReport {
  done: { connection: string; backup: number; bytes: number }[]
  failed: { connection: string; error: string; isUnreached: boolean }[]
}

export function createRounds(backups: Backups): Rounds {
  return {
    backUp: (act, subjects, control) =>
      goRound(subjects, control, (subject) => backups.make(act, subject, control)),
    async drill(subjects, control) {
      const covered: Subject[] = []
      for (const subject of subjects) if (await hasBackup(backups, subject)) covered.push(subject)
      return goRound(covered, control, async (subject) => (await backups.drill(subject, control)).backup)
    },
  }
}

/** The act of a round that nobody asked for by a call. */
export function actOfRound(): Act {
  return actOfServer('backups.round')
}

async function hasBackup(backups: Backups, { id }: Subject): Promise<boolean> {
  return (await backups.list(id)).some(({ status }) => status === 'completed')
}

async function goRound(
  subjects: readonly Subject[],
  control: JobControl,
  work: (subject: Subject) => Promise<{ id: number; bytes: number }>,
): Promise<RoundReport> {
  const report: RoundReport = { done: [], failed: [] }
  const faults: unknown[] = []
  for (const subject of subjects) {
    try {
      const { id, bytes } = await work(subject)
      report.done.push({ connection: subject.name, backup: id, bytes })
      control.log(`${subject.name}: backup ${id} of ${bytes} bytes.`)
    } catch (fault) {
      control.signal.throwIfAborted()
      if (!(fault instanceof JobFailure)) faults.push(fault)
      const error = fault instanceof JobFailure ? fault.message : 'Something went wrong inside the server.'
      report.failed.push({ connection: subject.name, error, isUnreached: fault instanceof Unreached })
      control.log(`${subject.name}: ${error}`)
    }
  }
  // What nobody foresaw belongs in the server's log, but only after the others had their turn.
  if (faults.length > 0) throw faults[0]
  return report
}

import type { TaskKind } from '@binnacle/contract'
import { actOfServer } from '#audit/act.ts'
import type { Subject } from '#backups/room.ts'
import { actOfRound, type RoundReport, type Rounds } from '#backups/rounds.ts'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import type { ServiceProbes } from '#outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'

/** What came of a run, for the history. */
export interface TaskResult {
  message: string
  result: unknown
}

export type TaskKinds = Record<TaskKind, (control: JobControl) => Promise<TaskResult>>

/** What tasks back up, and how. */
export interface TaskUpkeep {
  rounds: Rounds
  stores: { all(): Promise<readonly Subject[]> }
}

interface KindNeeds {
  store: Pick<AdminStore, 'audit' | 'jobs' | 'taskRuns'>
  probes: ServiceProbes
  now: () => Date
  upkeep?: TaskUpkeep | undefined
}

/** What has ended is kept so long. */
const KEEP_DAYS = 90
const DAY_MS = 24 * 60 * 60 * 1000

export function createTaskKinds({ store, probes, now, upkeep }: KindNeeds): TaskKinds {
  return {
    async 'audit.verify'({ progress }) {
      progress(0, 'Reading the audit log.')
      const { head, fault } = await store.audit.verify()
      if (fault !== undefined) throw new JobFailure(`The audit log is not as it was written. ${fault.detail}`)
      const lines = head?.seq ?? 0
      return { message: `All ${lines} lines of the audit log are as written.`, result: { lines } }
    },

    async 'history.clean'({ progress, signal }) {
      const before = new Date(now().getTime() - KEEP_DAYS * DAY_MS).toISOString()
      const act = actOfServer('history.clean')
      const jobs = await store.jobs.clean(act, before)
      progress(0.5, 'Old jobs are deleted.')
      signal.throwIfAborted()
      const runs = await store.taskRuns.clean(act, before)
      const message = `${jobs} jobs and ${runs} runs of tasks older than ${KEEP_DAYS} days were deleted.`
      return { message, result: { jobs, runs, before } }
    },

    async 'health.report'({ log }) {
      const probed = await probes.probeAll()
      const services = probed.map(({ service, responseTime, error }) => ({
        service: service.name,
        status: error === undefined ? 'healthy' : 'unhealthy',
        response_time: responseTime,
        ...(error !== undefined && { error }),
      }))
      const ill = services.filter(({ error }) => error !== undefined)
      for (const { service, error } of ill) log(`${service}: ${error}`)
      const names = ill.map(({ service }) => service).join(', ')
      const message = `${services.length - ill.length} of ${services.length} services are healthy.`
      return {
        message: ill.length === 0 ? message : `${message} Not healthy: ${names}.`,
        result: { services },
      }
    },

    async 'backup.make'(control) {
      if (upkeep === undefined) throw new JobFailure(NO_UPKEEP)
      const report = await upkeep.rounds.backUp(actOfRound(), await upkeep.stores.all(), control)
      return tellRound(report, 'stores are backed up')
    },

    async 'backup.drill'(control) {
      if (upkeep === undefined) throw new JobFailure(NO_UPKEEP)
      const report = await upkeep.rounds.drill(await upkeep.stores.all(), control)
      return tellRound(report, 'newest backups restore')
    },
  }
}

const NO_UPKEEP = 'This server keeps no backups.'

function tellRound(report: RoundReport, what: string): TaskResult {
  const { done, failed } = report
  const message = `${done.length} of ${done.length + failed.length} ${what}.`
  const told = failed.map(({ connection, error }) => `${connection}: ${error}`).join(' ')
  if (failed.length > 0) throw new JobFailure(`${message} ${told}`)
  return { message, result: report }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { JobState } from '@binnacle/contract'
import type { Result } from '@binnacle/engine'
import type { JobLogRow, JobRow } from '#storage/admin/admin-tables.ts'
import type { JobsStore } from '#storage/admin/jobs-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { JobWork, StartedJob } from './job.ts'
import { createJobQueue } from './job-queue.ts'
import { createLiveJob, type LiveJob } from './live-job.ts'

export interface Jobs {
  /** Queues the work and writes its audit record. */
  start<Result>(audit: AuditContext, work: JobWork<Result>): Promise<StartedJob<Result>>
  list(limit: number, state?: JobState): Promise<JobView[]>
  find(id: number): Promise<(JobView & { log: JobLogRow[] }) | undefined>
  cancel(audit: AuditContext, id: number): Promise<Result<JobView, 'unknown' | 'ended'>>
  /** Stops all jobs. A job that does not stop within the grace period is marked interrupted and can no longer write. */
  close(graceMs: number): Promise<void>
}

export interface JobView extends JobRow {
  isCancelling: boolean
}

export interface JobRunnerOptions {
  store: JobsStore
  now?: () => Date
  /** Reports unexpected errors. */
  onFault?: (fault: unknown) => void
  /** Reports a job that failed, with its reason. */
  onFailure?: (job: FailedJob) => void
  /** Called after every job, before those who wait for it go on. */
  onEnd?: (() => void) | undefined
  maxRunning?: number
}

export interface FailedJob {
  id: number
  kind: string
  title: string
  error: string
}

export function createJobs({
  store,
  now = () => new Date(),
  onFault = () => {},
  onFailure = () => {},
  onEnd = () => {},
  maxRunning = 4,
}: JobRunnerOptions): Jobs {
  const live = new Map<number, LiveJob>()
  const queue = createJobQueue(maxRunning)
  let isClosing = false
  let isClosed = false
  const options = { store, now, onFault, isAbandoned: () => isClosed }

  function viewOf(row: JobRow): JobView {
    // A job that has just ended may still be live; the stored row is then newer.
    const job = row.ended_at === null ? live.get(row.id) : undefined
    return { ...row, ...job?.report.state, isCancelling: job?.signal.aborted ?? false }
  }

  return {
    async start(audit, work) {
      const { id } = await store.add(audit, work)
      const job = createLiveJob(id, work, options)
      live.set(id, job)
      void job.ended.then((ending) => {
        live.delete(id)
        onEnd()
        if (ending.state === 'failed')
          onFailure({ id, kind: work.kind, title: work.title, error: ending.error })
      })
      if (isClosing) job.stop('interrupted')
      queue.add(job)
      return { id, title: work.title, ended: job.ended }
    },
    async list(limit, state) {
      return (await store.list(limit, state)).map(viewOf)
    },
    async find(id) {
      await live.get(id)?.report.flush()
      const row = await store.find(id)
      return row && { ...viewOf(row), log: await store.logOf(id) }
    },
    async cancel(audit, id) {
      const outcome = await store.recordCancel(audit, id)
      if (!outcome.ok) return outcome
      live.get(id)?.stop('cancelled')
      const value = viewOf(outcome.value)
      queue.dropStopped()
      return { ok: true, value }
    },
    async close(graceMs) {
      isClosing = true
      const left = [...live.values()]
      for (const job of left) job.stop('interrupted')
      queue.dropStopped()
      await endWithin(graceMs, left)
      isClosed = true
      await store.interruptUnfinished()
    },
  }
}

/** The log line of a failed job: 'backup.7' is logged as backup.failed, 'task.audit.verify' as task.failed. */
export function failureLine({ id, kind, title, error }: FailedJob) {
  return { event: `${kind.split('.')[0]}.failed`, job: id, title, reason: error }
}

async function endWithin(graceMs: number, jobs: readonly LiveJob[]): Promise<void> {
  const over = new AbortController()
  const late = wait(graceMs, undefined, { signal: over.signal }).catch(() => undefined)
  await Promise.race([Promise.all(jobs.map(({ ended }) => ended)), late])
  over.abort()
}

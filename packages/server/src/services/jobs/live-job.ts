import { JobFailure } from '@binnacle/stores'
import type { JobsStore } from '#storage/admin/jobs-store.ts'
import type { JobEnding, JobWork } from './job.ts'
import type { QueueItem } from './job-queue.ts'
import { createJobReport, type JobReport } from './job-report.ts'

/** A queued or running job. */
export interface LiveJob<Result = unknown> extends QueueItem {
  readonly id: number
  readonly report: JobReport
  readonly ended: Promise<JobEnding<Result>>
  stop(why: StopReason): void
}

export interface LiveJobOptions {
  store: JobsStore
  now: () => Date
  onFault: (fault: unknown) => void
  /** Returns whether the store is closed to this job. */
  isAbandoned: () => boolean
}

export type StopReason = 'cancelled' | 'interrupted'

const STOPPED: Record<StopReason, string> = {
  cancelled: 'Cancelled.',
  interrupted: 'The server was shut down before this job ended.',
}
const FAULT = 'Something went wrong inside the server. See logs/server.log in the data folder.'

export function createLiveJob<Result>(
  id: number,
  work: JobWork<Result>,
  options: LiveJobOptions,
): LiveJob<Result> {
  const { store, onFault } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const report = createJobReport({ id, ...options })
  const { promise: ended, resolve } = Promise.withResolvers<JobEnding<Result>>()
  let stopReason: StopReason | undefined

  async function perform(): Promise<JobEnding<Result>> {
    signal.throwIfAborted()
    await store.begin(id)
    const { progress, log } = report
    return { state: 'done', result: await work.run({ signal, progress, log }) }
  }

  function endingOf(thrown: unknown): JobEnding<Result> {
    if (stopReason !== undefined) return { state: stopReason, error: STOPPED[stopReason] }
    if (thrown instanceof JobFailure) {
      return { state: 'failed', error: thrown.message, ...(thrown.isUnreachable && UNREACHED) }
    }
    onFault(thrown)
    return { state: 'failed', error: FAULT }
  }

  async function saveEnding(ending: JobEnding<Result>): Promise<void> {
    if (options.isAbandoned()) return
    await report.flush()
    await store.end(id, { ...report.state, ...rowOf(ending) })
  }

  return {
    id,
    report,
    ended,
    signal,
    stop(why) {
      stopReason ??= why
      stopping.abort()
    },
    async run() {
      const ending = await perform().catch(endingOf)
      await saveEnding(ending).catch(onFault)
      resolve(ending)
    },
  }
}

const UNREACHED = { isUnreached: true }

function rowOf(ending: JobEnding<unknown>) {
  if (ending.state !== 'done') {
    return { state: ending.state, message: ending.error, error: ending.error, result: null }
  }
  return { state: ending.state, progress: 1, error: null, result: JSON.stringify(ending.result ?? null) }
}

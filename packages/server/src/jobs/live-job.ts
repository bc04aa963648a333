import type { JobsStore } from '#storage/admin/jobs-store.ts'
import { type JobEnding, JobFailure, type JobWork, Unreached } from './job.ts'
import type { Queued } from './job-queue.ts'
import { createJobReport, type JobReport } from './job-report.ts'

/** A job that has not ended. */
export interface LiveJob<Result = unknown> extends Queued {
  readonly id: number
  readonly report: JobReport
  readonly ended: Promise<JobEnding<Result>>
  stop(why: StopReason): void
}

export interface LiveJobNeeds {
  store: JobsStore
  now: () => Date
  onFault: (fault: unknown) => void
  /** Whether the store must no longer be written to. */
  isAbandoned: () => boolean
}

export type StopReason = 'cancelled' | 'interrupted'

const STOPPED: Record<StopReason, string> = {
  cancelled: 'It was cancelled.',
  interrupted: 'The server was shut down before this had ended.',
}
const FAULT = 'Something went wrong inside the server. The log of the server says more.'

export function createLiveJob<Result>(
  id: number,
  work: JobWork<Result>,
  needs: LiveJobNeeds,
): LiveJob<Result> {
  const { store, onFault } = needs
  const stopping = new AbortController()
  const { signal } = stopping
  const report = createJobReport({ id, ...needs })
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
      return { state: 'failed', error: thrown.message, ...(thrown instanceof Unreached && UNREACHED) }
    }
    onFault(thrown)
    return { state: 'failed', error: FAULT }
  }

  async function keep(ending: JobEnding<Result>): Promise<void> {
    if (needs.isAbandoned()) return
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
      const ending = await perform().then((done) => done, endingOf)
      await keep(ending).then(undefined, onFault)
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

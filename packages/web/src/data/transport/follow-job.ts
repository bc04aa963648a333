import { type Id, type Job, type JobDetail, jobs, PROBLEMS, type ProblemCode } from '@binnacle/contract'
import { useSyncExternalStore } from 'react'
import { ApiError, parseJson, ReplyError } from '#data/failure.ts'
import { orAborted } from './deadline.ts'
import { type CallOptions, parseReply, sendRequest } from './send-request.ts'

const POLL_MS = 1000

let followed: readonly Job[] = []
const getFollowed = () => followed
const listeners = new Set<() => void>()

/** The jobs this console waits for, with their last known progress. */
export function useFollowedJobs(): readonly Job[] {
  return useSyncExternalStore(subscribe, getFollowed, getFollowed)
}

/**
 * Polls a job until it ends, also after the screen is left. Returns the finished job, or undefined if the backend never
 * knew it. Throws an ApiError with the reason if the job failed or was cancelled, and another error if its outcome
 * cannot be known.
 */
export async function followJob(id: Id, options: CallOptions): Promise<JobDetail | undefined> {
  try {
    let isKnown = false
    let status = await pollJob(id, options)
    while (isRunning(status)) {
      if (typeof status !== 'string') {
        isKnown = true
        setFollowed([...withoutJob(id), status])
      }
      await pause(options)
      status = await pollJob(id, options)
    }
    if (status === 'no such job' && isKnown) throw new Error(`Job ${id} is no longer known`)
    return resultOf(status)
  } finally {
    setFollowed(withoutJob(id))
  }
}

type JobStatus = JobDetail | 'no such job' | 'no answer'

function isRunning(status: JobStatus): boolean {
  if (typeof status === 'string') return status === 'no answer'
  return status.state === 'queued' || status.state === 'running'
}

function resultOf(status: JobStatus): JobDetail | undefined {
  if (typeof status === 'string') return undefined
  if (status.state === 'done') return status
  throw failureOf(status)
}

async function pollJob(id: Id, options: CallOptions): Promise<JobStatus> {
  try {
    const { text } = await sendRequest(jobs.get, { params: { id } }, options)
    return parseReply(jobs.get, parseJson(text))
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof ApiError && error.status === 404) return 'no such job'
    // Not the refusal itself, which would say that nothing was done: the job continues without the console.
    if (isFinal(error)) throw new Error(`Job ${id} cannot be followed`, { cause: error })
    return 'no answer'
  }
}

const TEMPORARY_STATUSES = [408, 429]

/** A reply that polling again does not change. While the server does not answer, the job may still be running. */
function isFinal(error: unknown): boolean {
  if (error instanceof ReplyError) return true
  return error instanceof ApiError && error.status < 500 && !TEMPORARY_STATUSES.includes(error.status)
}

/** The problem document that a synchronous call would have returned. */
function failureOf({ state, title, error }: Job): ApiError {
  const code: ProblemCode = state === 'failed' ? 'job.failed' : 'job.cancelled'
  const problem = {
    type: 'about:blank',
    code,
    ...PROBLEMS[code],
    detail: error ?? `'${title}' was ${state}.`,
  }
  return new ApiError(problem.status, problem.title, problem)
}

async function pause({ signal }: CallOptions): Promise<void> {
  const waited = new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))
  await (signal ? orAborted(waited, signal) : waited)
}

function withoutJob(id: Id): readonly Job[] {
  return followed.filter((job) => String(job.id) !== String(id))
}

function setFollowed(next: readonly Job[]): void {
  followed = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

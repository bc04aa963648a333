import { type Id, type Job, type JobDetail, jobs, PROBLEMS, type ProblemCode } from '@binnacle/contract'
import { useSyncExternalStore } from 'react'
import { ApiError, parseJson } from '#data/failure.ts'
import { orAborted } from './deadline.ts'
import { type CallOptions, exchange, parseReply } from './exchange.ts'

/** How often a job is looked at: often enough for a bar that moves, seldom enough to cost nothing. */
const LOOK_AGAIN_MS = 1000

let followed: readonly Job[] = []
const listeners = new Set<() => void>()

/** The jobs whose end this console waits for, as they were last seen. */
export function useFollowedJobs(): readonly Job[] {
  return useSyncExternalStore(subscribe, () => followed)
}

/**
 * Waits for the end of a job, wherever the person goes meanwhile. Returns what came of it, or undefined when the
 * backend knows of no such job; throws an ApiError that says why nothing came of it.
 */
export async function followJob(id: Id, options: CallOptions): Promise<JobDetail | undefined> {
  try {
    let seen = await look(id, options)
    while (isUnderWay(seen)) {
      if (typeof seen !== 'string') show([...withoutJob(id), seen])
      await pause(options)
      seen = await look(id, options)
    }
    return endOf(seen)
  } finally {
    show(withoutJob(id))
  }
}

type Seen = JobDetail | 'no such job' | 'no answer'

function isUnderWay(seen: Seen): boolean {
  return typeof seen === 'string' ? seen === 'no answer' : seen.state === 'queued' || seen.state === 'running'
}

function endOf(seen: Seen): JobDetail | undefined {
  if (typeof seen === 'string') return undefined
  if (seen.state === 'done') return seen
  throw failureOf(seen)
}

/** Whether the work goes on is unknown while the server is silent, so it is asked again; only a 404 is an answer. */
async function look(id: Id, options: CallOptions): Promise<Seen> {
  try {
    const { text } = await exchange(jobs.get, { params: { id } }, options)
    return parseReply(jobs.get, parseJson(text))
  } catch (error) {
    options.signal?.throwIfAborted()
    return error instanceof ApiError && error.status === 404 ? 'no such job' : 'no answer'
  }
}

/** The same problem that the call would have been answered with, had it waited. */
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
  const waited = new Promise<void>((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  await (signal ? orAborted(waited, signal) : waited)
}

function withoutJob(id: Id): readonly Job[] {
  return followed.filter((job) => String(job.id) !== String(id))
}

function show(now: readonly Job[]): void {
  followed = now
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

import { setTimeout as wait } from 'node:timers/promises'
import { JobReply } from '#http/job-reply.ts'
import { Refused } from '#http/problems.ts'
import type { JobEnding, StartedJob } from './job.ts'

/** Below the 30 s after which clients give up. Tests wait for their jobs, however slow the machine is. */
export const replyTimeout = { ms: 20_000 }

/** Replies with the result of a job if it ends in time, else with 202 and the job to poll. */
export async function answerInTime<Result, Reply>(
  { id, title, ended }: StartedJob<Result>,
  toReply: (result: Result) => Reply,
  withinMs = replyTimeout.ms,
): Promise<Reply | Refused | JobReply> {
  const over = new AbortController()
  const late = wait(withinMs, undefined, { signal: over.signal }).catch(() => undefined)
  const ending = await Promise.race([ended, late])
  over.abort()
  if (ending === undefined) return new JobReply(id, `'${title}' continues as job ${id}.`)
  return ending.state === 'done' ? toReply(ending.result) : refusalOf(ending)
}

function refusalOf({ state, error, isUnreached }: Exclude<JobEnding<unknown>, { state: 'done' }>): Refused {
  if (isUnreached === true) return new Refused('store.unreachable', error)
  return new Refused(state === 'failed' ? 'job.failed' : 'job.cancelled', error)
}

import { setTimeout as wait } from 'node:timers/promises'
import { LongWork } from '#http/long-work.ts'
import { Refused } from '#http/problems.ts'
import type { JobEnding, StartedJob } from './job.ts'

/** So that no reply runs into the 30 seconds after which a client gives up. */
const ANSWER_WITHIN_MS = 20_000

/** The reply of a call whose work is a job: what came of it when that is soon enough, else the job to follow. */
export async function answerInTime<Result, Reply>(
  { id, title, ended }: StartedJob<Result>,
  tell: (result: Result) => Reply,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Reply | Refused | LongWork> {
  const over = new AbortController()
  const late = wait(withinMs, undefined, { signal: over.signal }).then(
    () => undefined,
    () => undefined,
  )
  const ending = await Promise.race([ended, late])
  over.abort()
  if (ending === undefined) return new LongWork(id, `'${title}' goes on as job ${id}.`)
  return ending.state === 'done' ? tell(ending.result) : refusalOf(ending)
}

function refusalOf({ state, error, isUnreached }: Exclude<JobEnding<unknown>, { state: 'done' }>): Refused {
  if (isUnreached === true) return new Refused('store.unreachable', error)
  return new Refused(state === 'failed' ? 'job.failed' : 'job.cancelled', error)
}

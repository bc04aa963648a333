/** Reports the progress of a long job and carries its cancellation. */
export interface JobControl {
  /** Aborted when the job must stop. The job then throws. */
  signal: AbortSignal
  /** Progress from 0 to 1, with a sentence that names the current step. */
  progress(fraction: number, sentence: string): void
  log(line: string): void
}

/** How long a store may take to connect, and to answer a call that reads a figure or writes a row. */
export const ANSWER_TIMEOUT_MS = 10_000

export interface AnswerLimit {
  /** The longest that a store may take for one statement; without it there is no limit. */
  answerMs?: number
}

/** The failure of a store that did not answer in time. */
export function noAnswer(
  store: 'PostgreSQL' | 'Redis',
  { answerMs = ANSWER_TIMEOUT_MS }: AnswerLimit,
): JobFailure {
  return new JobFailure(`${store} did not answer within ${answerMs / 1000} s.`, { isUnreachable: true })
}

interface JobFailureOptions {
  /** Whether the store could not be reached. */
  isUnreachable?: boolean
}

/** Thrown by a job that failed for a reason the user can act on. The message is shown to the user. */
export class JobFailure extends Error {
  readonly isUnreachable: boolean

  constructor(message: string, { isUnreachable = false }: JobFailureOptions = {}) {
    super(message)
    this.isUnreachable = isUnreachable
  }
}

/** Reports the progress of a long job and carries its cancellation. */
export interface JobControl {
  /** Aborted when the job must stop. The job then throws. */
  signal: AbortSignal
  /** Progress from 0 to 1, with a sentence that names the current step. */
  progress(fraction: number, sentence: string): void
  log(line: string): void
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

/** A piece of long work. */
export interface JobWork<Result> {
  kind: string
  title: string
  run(control: JobControl): Promise<Result>
}

export interface JobControl {
  /** Aborted when the work should stop; it ends by throwing, whatever it throws. */
  signal: AbortSignal
  /** How far it is, from 0 to 1, and what it is at. */
  progress(fraction: number, sentence: string): void
  log(line: string): void
}

export interface StartedJob<Result> {
  id: number
  title: string
  /** Never rejects. */
  ended: Promise<JobEnding<Result>>
}

export type JobEnding<Result> =
  | { state: 'done'; result: Result }
  | { state: 'failed' | 'cancelled' | 'interrupted'; error: string; isUnreached?: boolean }

/** Thrown by work that failed for a reason that a person understands. */
export class JobFailure extends Error {}

/** Thrown by work on a store that does not answer. */
export class Unreached extends JobFailure {}

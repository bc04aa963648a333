import type { JobControl } from '@binnacle/stores'

/** Work that runs as a job. */
export interface JobWork<Result> {
  kind: string
  title: string
  /** It only reports what the act would do; its audit record says so. */
  isDryRun?: boolean
  run(control: JobControl): Promise<Result>
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

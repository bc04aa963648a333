import type { JobControl } from '#jobs/job.ts'
import type { Counts, Source } from './source.ts'

/** How one kind of store is written into a folder, proven, tried out and put back. */
export interface BackupKind<S extends Source = Source> {
  /** Writes the store's contents into the empty folder, as they were at one moment where the store allows it. */
  write(source: S, folder: string, control: JobControl): Promise<Counts>
  /** Reads all of what was written, without the store; throws a JobFailure when it is not whole. */
  verify(folder: string, control: JobControl): Promise<Counts>
  /** Restores into something that is gone afterwards, and counts it there. */
  drill(source: S, scratch: Scratch, control: JobControl): Promise<Counts>
  /** Restores beside, verifies, swaps, or throws having changed nothing. */
  restore(source: S, putting: Putting, control: JobControl): Promise<void>
  /** Whether there is something that a restore would overwrite. */
  exists(source: S): Promise<boolean>
}

export interface Scratch {
  /** The backup's contents. */
  from: string
  /** An empty folder that is removed afterwards. */
  folder: string
}

export interface Putting {
  from: string
  /** What the backup holds, to be found again in what is restored beside. */
  counts: Counts
  /** The file to note a swap in, so that one cut short is ended at the next start. */
  note: string
  step: Step
  /** Closes what this server itself has open of the store. */
  release(): Promise<void>
}

/** Told before each numbered step; the tests end the process in it. */
export type Step = (name: string) => void | Promise<void>

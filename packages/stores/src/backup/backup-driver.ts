import type { JobControl } from '#job-control.ts'
import type { Counts, Source } from './source.ts'

/** Backup and restore of one type of store. */
export interface BackupDriver<S extends Source = Source> {
  /** Writes the contents into the empty folder, as one snapshot where the store supports it. */
  write(source: S, folder: string, control: BackupControl): Promise<Counts>
  /** Reads the whole backup without the store. Throws a JobFailure when it is damaged. */
  verify(folder: string, control: JobControl): Promise<Counts>
  /** Restores into a scratch location, counts it there and removes it. */
  drill(source: S, scratch: DrillOptions, control: JobControl): Promise<Counts>
  /** Restores to a temporary location, verifies and swaps; or throws without any change. */
  restore(source: S, putting: RestoreOptions, control: JobControl): Promise<void>
  /** Whether a restore would overwrite data. */
  exists(source: S): Promise<boolean>
  /** Removes what a killed restore or drill left inside the store itself. */
  clearStaging?(source: S): Promise<void>
}

export interface BackupControl extends JobControl {
  /** Reports what the backup could not verify. */
  warn(sentence: string): void
}

export interface DrillOptions {
  /** The backup's contents. */
  from: string
  /** An empty folder that is removed afterwards. */
  folder: string
}

export interface RestoreOptions {
  from: string
  /** The counts of the backup, compared with the restored data before the swap. */
  counts: Counts
  /** The file that records the swap, so that the next start can complete it. */
  note: string
  step: StepHook
  /** Closes this server's own connections to the store. */
  release(): Promise<void>
}

/** Called before each step. Tests kill the process in it. */
export type StepHook = (name: string) => void | Promise<void>

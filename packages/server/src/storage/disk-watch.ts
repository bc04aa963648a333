import { type JobControl, JobFailure } from '@binnacle/stores'
import { diskRefusal, type FreeSpace } from './disk-space.ts'

export interface DiskWatchOptions {
  folder: string
  freeSpace?: FreeSpace | undefined
  everyMs?: number
}

/** Short, since a copy fills a disk with some hundred megabytes a second. */
const CHECK_EVERY_MS = 200

/**
 * Runs a job that writes much to a folder: it does not start on a disk that is nearly full, and is stopped when the disk
 * becomes so. A full disk would halt trading.
 */
export async function withDiskWatch<Control extends JobControl, Result>(
  options: DiskWatchOptions,
  control: Control,
  work: (control: Control) => Promise<Result>,
): Promise<Result> {
  const { folder, freeSpace, everyMs = CHECK_EVERY_MS } = options
  const isFull = async () => (await diskRefusal(folder, freeSpace)) !== undefined
  if (await isFull()) throw nearlyFull()
  const watch = new AbortController()
  const timer = setInterval(() => {
    isFull().then(
      (full) => full && watch.abort(nearlyFull()),
      // A disk that does not report its space is not watched.
      () => {},
    )
  }, everyMs)
  try {
    return await work({ ...control, signal: AbortSignal.any([control.signal, watch.signal]) })
  } catch (fault) {
    throw watch.signal.aborted && !control.signal.aborted ? watch.signal.reason : fault
  } finally {
    clearInterval(timer)
  }
}

function nearlyFull(): JobFailure {
  return new JobFailure(
    'The disk is nearly full, so this was stopped before trading had to stop. Free some space and try again.',
  )
}

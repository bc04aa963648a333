import { statfs } from 'node:fs/promises'
import type { FailedJob } from '#services/jobs/job-runner.ts'
import { FailureLog, type FigureSource } from './figures.ts'

export interface ServerFigures extends FigureSource {
  /** Counts a failed job; those of scheduled tasks count as tasks. */
  addFailure(job: FailedJob): void
  close(): void
}

const DISK_EVERY_MS = 15_000
const BYTES_PER_GB = 1024 ** 3

/** Failures of jobs and tasks, and the free disk space of the data folder. */
export function createServerFigures(folder: string, now = Date.now): ServerFigures {
  const jobs = new FailureLog()
  const tasks = new FailureLog()
  let freeGb: number | undefined

  async function measure(): Promise<void> {
    // A file system that does not report its size has no figure.
    const found = await statfs(folder).catch(() => undefined)
    freeGb = found && found.blocks > 0 ? (found.bavail * found.bsize) / BYTES_PER_GB : undefined
  }

  void measure()
  const timer = setInterval(() => void measure(), DISK_EVERY_MS).unref()
  return {
    watches: ['job', 'task', 'disk'],
    read({ watch, window_s }, nowMs) {
      if (watch === 'job') return [jobs.figure(window_s, nowMs)]
      if (watch === 'task') return [tasks.figure(window_s, nowMs)]
      return freeGb === undefined ? [] : [{ subject: '', value: freeGb }]
    },
    subjects: () => undefined,
    addFailure({ kind, title, error }) {
      const log = kind.startsWith('task.') ? tasks : jobs
      log.add(now(), `${title}: ${error}`)
    },
    close: () => clearInterval(timer),
  }
}

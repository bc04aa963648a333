import type { JobLogRow, JobRow } from '#storage/admin/admin-tables.ts'
import type { JobsStore } from '#storage/admin/jobs-store.ts'
import type { JobControl } from './job.ts'

/** What a running job tells, kept in memory and written now and then. */
export interface JobReport extends Pick<JobControl, 'progress' | 'log'> {
  readonly state: Pick<JobRow, 'progress' | 'message'>
  /** Writes what is not written yet. Never rejects. */
  flush(): Promise<void>
}

interface ReportNeeds {
  id: number
  store: Pick<JobsStore, 'report'>
  now: () => Date
  onFault: (fault: unknown) => void
}

/** A crash loses what was told since; more often would keep the disk busy with it. */
const WRITE_EVERY_MS = 500
/** A log without end would fill the store. */
const MAX_LINES = 1000
const MAX_LINE_LENGTH = 2000

export function createJobReport({ id, store, now, onFault }: ReportNeeds): JobReport {
  let state: JobReport['state'] = { progress: 0, message: null }
  let lines: JobLogRow[] = []
  let lineCount = 0
  let isDirty = false
  let writtenAt = 0
  let writing = Promise.resolve()

  function write(): Promise<void> {
    writing = writing.then(async () => {
      if (!isDirty) return
      const newLines = lines
      lines = []
      isDirty = false
      writtenAt = now().getTime()
      await store.report(id, state, newLines).then(undefined, onFault)
    })
    return writing
  }

  function touch(): void {
    isDirty = true
    if (now().getTime() - writtenAt >= WRITE_EVERY_MS) void write()
  }

  return {
    get state() {
      return state
    },
    progress(fraction, sentence) {
      const progress = Number.isFinite(fraction) ? Math.min(Math.max(fraction, 0), 1) : state.progress
      state = { progress, message: sentence }
      touch()
    },
    log(line) {
      if (lineCount === MAX_LINES) return
      lineCount += 1
      const text = lineCount === MAX_LINES ? LOG_IS_FULL : line.slice(0, MAX_LINE_LENGTH)
      lines.push({ job_id: id, line: lineCount, at: now().toISOString(), text })
      touch()
    },
    flush: write,
  }
}

const LOG_IS_FULL = `The log ends here: a job keeps ${MAX_LINES} lines.`

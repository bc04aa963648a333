import type { JobControl } from '@binnacle/stores'
import type { JobLogRow, JobRow } from '#storage/admin/admin-tables.ts'
import type { JobsStore } from '#storage/admin/jobs-store.ts'

/** Progress and log of a running job, buffered in memory and written periodically. */
export interface JobReport extends Pick<JobControl, 'progress' | 'log'> {
  readonly state: Pick<JobRow, 'progress' | 'message'>
  /** Writes pending changes. Never rejects. */
  flush(): Promise<void>
}

interface JobReportOptions {
  id: number
  store: Pick<JobsStore, 'report'>
  now: () => Date
  onFault: (fault: unknown) => void
}

/** A crash loses changes since the last write; shorter intervals would load the disk. */
const WRITE_EVERY_MS = 500
/** Limits the log's share of the store. */
const MAX_LINES = 1000
const MAX_LINE_LENGTH = 2000

export function createJobReport({ id, store, now, onFault }: JobReportOptions): JobReport {
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
      await store.report(id, state, newLines).catch(onFault)
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

const LOG_IS_FULL = `The log ends here: a job stores at most ${MAX_LINES} lines.`

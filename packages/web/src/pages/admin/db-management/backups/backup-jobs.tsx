import type { Job } from '@binnacle/contract'
import { isActive } from '#data/jobs.ts'
import { formatInstant } from '#format/time.ts'
import { Notice } from '#ui/state/notice.tsx'
import { ProgressLine } from '#ui/state/progress-line.tsx'
import { copy } from './copy.ts'

export interface BackupJobsProps {
  jobs: readonly Job[]
}

/** DB-40, DB-41: backups and restores under way, and those that did not succeed. */
export function BackupJobs({ jobs }: BackupJobsProps) {
  const unsuccessful = jobs.filter(({ state }) => state === 'failed' || state === 'interrupted')
  return (
    <>
      {jobs.filter(isActive).map(({ id, title, progress, message }) => (
        <ProgressLine key={id} title={title} progress={progress} message={message} />
      ))}
      {unsuccessful.map(({ id, title, state, error, ended_at, created_at }) => (
        <Notice key={id} tone="bad" title={copy.unsuccessful(title, state)}>
          {formatInstant(ended_at ?? created_at)}: {error}
        </Notice>
      ))}
    </>
  )
}

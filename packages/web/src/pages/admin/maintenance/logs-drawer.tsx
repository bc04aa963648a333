import type { Job, JobState } from '@binnacle/contract'
import { useState } from 'react'
import { useJobDetail, useJobHistory } from '#data/jobs.ts'
import { formatDateTime, formatInstant } from '#format/time.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { PageDrawer } from '#ui/frame/drawer.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { copy } from './copy.ts'
import classes from './logs-drawer.module.css'

const { logs: words } = copy

const TONES: Record<JobState, Tone> = {
  queued: 'calm',
  running: 'info',
  done: 'good',
  failed: 'bad',
  cancelled: 'calm',
  interrupted: 'warn',
}

/** Work on stores: of this screen, of Database Management, and of scheduled tasks. */
const KINDS = /^(maintenance|backup|restore|task\.(backup|stores|history))\b/

/** MAINT-24: the jobs that worked on stores, each with its log lines. */
export function LogsDrawer({ onClose }: { onClose: () => void }) {
  const history = useJobHistory()
  const jobs = history?.jobs?.filter(({ kind }) => KINDS.test(kind)) ?? []
  return (
    <PageDrawer title={words.title} onClose={onClose}>
      {jobs.length === 0 && <EmptyState title={words.none} />}
      <ul className={classes.jobs} aria-label={words.title}>
        {jobs.map((job) => (
          <li key={job.id}>
            <JobEntry job={job} />
          </li>
        ))}
      </ul>
    </PageDrawer>
  )
}

function JobEntry({ job }: { job: Job }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className={classes.job} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <strong>{job.title}</strong>
        <Badge tone={TONES[job.state]}>{job.state}</Badge>
        <span className={classes.dim}>{formatInstant(job.ended_at ?? job.created_at)}</span>
      </button>
      {isOpen && <Lines id={job.id} />}
    </>
  )
}

function Lines({ id }: Pick<Job, 'id'>) {
  const detail = useJobDetail(id)
  if (detail === undefined) return <p className={classes.dim}>{words.loading}</p>
  const { log, error, message } = detail
  return (
    <>
      <p>{error ?? message}</p>
      {log.length === 0 ? (
        <p className={classes.dim}>{words.noLines}</p>
      ) : (
        <pre className={classes.lines}>
          {log.map(({ at, text }) => `${formatDateTime(at).slice(11)} ${text}`).join('\n')}
        </pre>
      )}
    </>
  )
}

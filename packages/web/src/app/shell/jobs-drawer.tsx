import type { Job, JobState } from '@binnacle/contract'
import { useState } from 'react'
import { isActive, useJobDetail, useJobHistory } from '#data/jobs.ts'
import { formatDuration } from '#format/duration.ts'
import { formatInstant } from '#format/time.ts'
import { useNow } from '#state/now.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Drawer } from '#ui/frame/drawer.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { useCancelListedJob } from './job-list.tsx'
import classes from './jobs-drawer.module.css'

const TONES: Record<JobState, Tone> = {
  queued: 'calm',
  running: 'info',
  done: 'good',
  failed: 'bad',
  cancelled: 'calm',
  interrupted: 'warn',
}

export interface JobsDrawerProps {
  onClose: () => void
}

/** SHELL-38: running, queued and recent jobs of the server, also those begun elsewhere or before a reload. */
export function JobsDrawer({ onClose }: JobsDrawerProps) {
  const history = useJobHistory()
  const { cancel, isStopping } = useCancelListedJob()
  const jobs = history?.jobs
  const active = jobs?.filter(isActive) ?? []
  const ended = jobs?.filter((job) => !isActive(job)) ?? []
  const now = useNow(active.length > 0)
  return (
    <Drawer title="Jobs" onClose={onClose}>
      {history?.isFailed && (
        <Notice tone="bad" title="The jobs could not be loaded">
          Asked again every 5 s.
        </Notice>
      )}
      {jobs === undefined && !history?.isFailed && <Loading text="Loading jobs…" bare />}
      {jobs?.length === 0 && (
        <EmptyState title="No jobs yet">Backups, restores and exports appear here.</EmptyState>
      )}
      {active.length > 0 && (
        <ul className={classes.list} aria-label="Active jobs">
          {active.map((job) => (
            <ActiveJob
              key={job.id}
              job={job}
              now={now}
              isStopping={isStopping(job)}
              onCancel={() => cancel(job.id)}
            />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <ul className={classes.list} aria-label="Recent jobs">
          {ended.map((job) => (
            <EndedJob key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Drawer>
  )
}

interface ActiveJobProps {
  job: Job
  now: number
  isStopping: boolean
  onCancel: () => void
}

function ActiveJob({ job, now, isStopping, onCancel }: ActiveJobProps) {
  const percent = Math.floor(job.progress * 100)
  return (
    <li className={classes.job}>
      <div className={classes.head}>
        <strong>{job.title}</strong>
        <Badge tone={isStopping ? 'warn' : TONES[job.state]}>{isStopping ? 'stopping' : job.state}</Badge>
      </div>
      <progress className={classes.progress} aria-label={job.title} max={100} value={percent} />
      <div className={classes.head}>
        <span className={classes.note}>
          {percent}% · {timesOf(job, now)}
          {job.message && <> · {job.message}</>}
        </span>
        <Button busy={isStopping} onClick={onCancel} aria-label={`Cancel ${job.title}`}>
          Cancel
        </Button>
      </div>
      <Log job={job} />
    </li>
  )
}

/** The remaining time assumes that the rest takes as long per percent as what is done. */
function timesOf({ started_at: startedAt, progress }: Job, now: number): string {
  if (!startedAt) return 'waiting for its turn'
  const elapsedMs = Math.max(0, now - Date.parse(startedAt))
  if (progress < 0.02) return `${formatDuration(elapsedMs)} elapsed`
  const leftMs = (elapsedMs / progress) * (1 - progress)
  return `${formatDuration(elapsedMs)} elapsed, about ${formatDuration(leftMs)} left`
}

function EndedJob({ job }: { job: Job }) {
  const { started_at: startedAt, ended_at: endedAt } = job
  return (
    <li className={classes.job}>
      <div className={classes.head}>
        <strong>{job.title}</strong>
        <Badge tone={TONES[job.state]}>{job.state}</Badge>
      </div>
      <span className={classes.note}>
        {formatInstant(endedAt ?? job.created_at)}
        {startedAt && endedAt && <> · took {formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}</>}
      </span>
      {job.error && <p className={classes.error}>{job.error}</p>}
      <Log job={job} />
    </li>
  )
}

function Log({ job }: { job: Job }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={classes.details} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Result and log</summary>
      {isOpen && <LogLines job={job} />}
    </details>
  )
}

function LogLines({ job }: { job: Job }) {
  const detail = useJobDetail(job.id)
  if (detail === undefined) return <p className={classes.note}>Loading…</p>
  return (
    <>
      {detail.result !== undefined && detail.result !== null && (
        <pre className={classes.text}>{JSON.stringify(detail.result, null, 2)}</pre>
      )}
      <pre className={classes.text}>
        {detail.log.length === 0
          ? 'No log lines.'
          : detail.log.map(({ at, text }) => `${at.slice(11, 19)} ${text}`).join('\n')}
      </pre>
    </>
  )
}

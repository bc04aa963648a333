import type { Job } from '@binnacle/contract'
import { useCancelJob } from '#data/jobs.ts'
import { useFollowedJobs } from '#data/transport/follow-job.ts'
import { toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import classes from './job-list.module.css'

/** CAP-11: running jobs, on every screen. */
export function JobList() {
  const followed = useFollowedJobs()
  const { cancel, isStopping } = useCancelListedJob()
  if (followed.length === 0) return null
  return (
    <ul className={classes.list} aria-label="Running jobs">
      {followed.map((job) => (
        <JobLine key={job.id} job={job} isStopping={isStopping(job)} onCancel={() => cancel(job.id)} />
      ))}
    </ul>
  )
}

/** Of this list and of the jobs drawer. */
export function useCancelListedJob() {
  const { run: cancel, pendingSubjects } = useCancelJob({
    onFailure: toastFailure(
      'Failed to cancel',
      'No answer. The job may have been cancelled; its state under Jobs shows whether it was.',
    ),
  })
  const isStopping = ({ id, is_cancelling: isCancelling }: Job) =>
    isCancelling === true || pendingSubjects.has(String(id))
  return { cancel, isStopping }
}

interface JobLineProps {
  job: Job
  isStopping: boolean
  onCancel: () => void
}

function JobLine({ job, isStopping, onCancel }: JobLineProps) {
  const percent = Math.floor(job.progress * 100)
  return (
    <li className={classes.job}>
      <span className={classes.title}>{job.title}</span>
      <progress className={classes.bar} aria-label={job.title} max={100} value={percent} />
      <span className={classes.figure}>{isStopping ? 'Stopping…' : `${percent}%`}</span>
      <Button busy={isStopping} onClick={onCancel} aria-label={`Cancel ${job.title}`}>
        Cancel
      </Button>
    </li>
  )
}

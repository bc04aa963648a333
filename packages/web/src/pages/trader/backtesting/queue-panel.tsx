import type { BacktestSummary, Id } from '@binnacle/contract'
import { formatDuration } from '#format/duration.ts'
import { useNow } from '#state/now.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './queue-panel.module.css'
import { timeLeftMs } from './run-figures.ts'
import { describeRun } from './run-format.ts'

export interface QueuePanelProps {
  /** Queued and running ones, newest first. */
  runs: readonly BacktestSummary[]
  cancelling: ReadonlySet<string>
  onCancel: (id: Id) => void
}

/** BT-18 */
export function QueuePanel({ runs, cancelling, onCancel }: QueuePanelProps) {
  const inOrder = runs.toReversed()
  const running = inOrder.filter(({ status }) => status === 'running')
  const waiting = inOrder.filter(({ status }) => status === 'queued')
  const { queue } = copy
  return (
    <Card
      title={
        <>
          {queue.title}{' '}
          <small className={classes.counts}>{queue.counts(running.length, waiting.length)}</small>
        </>
      }
    >
      {runs.length === 0 && <p className={classes.none}>{queue.empty}</p>}
      <ul className={classes.list}>
        {[...running, ...waiting].map((run) => (
          <li key={run.id}>
            <div className={classes.head}>
              <b>{copy.name(run.id)}</b>
              <span>{describeRun(run)}</span>
              <Button
                aria-label={queue.cancelName(copy.name(run.id))}
                busy={cancelling.has(String(run.id))}
                onClick={() => onCancel(run.id)}
              >
                {queue.cancel}
              </Button>
            </div>
            {run.status === 'running' ? (
              <Progress run={run} />
            ) : (
              <p className={classes.hint}>{queue.waiting(waiting.indexOf(run) + 1)}</p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Progress({ run }: { run: BacktestSummary }) {
  const now = useNow()
  const left = timeLeftMs(run, now)
  const percent = Math.floor(run.progress * 100)
  const gone = now - Date.parse(run.started_at ?? '')
  return (
    <>
      <progress
        className={classes.bar}
        aria-label={copy.queue.progress(copy.name(run.id))}
        max={100}
        value={percent}
      />
      <p className={classes.hint}>
        {left === undefined
          ? copy.queue.started
          : copy.queue.left(`${percent}%`, formatDuration(gone), formatDuration(left))}
      </p>
    </>
  )
}

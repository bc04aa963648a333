import type { BacktestWorker } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { workerQueries } from '#data/backtest-workers.ts'
import { formatDuration } from '#format/duration.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Meter } from '#ui/figure/meter.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import queue from './queue-panel.module.css'
import classes from './workers-panel.module.css'

const { workers: words } = copy

/** BT-52, BT-100: the workers on other machines; nothing where backtests run in the server. */
export function WorkersPanel() {
  const { data } = useQuery(workerQueries.list())
  if (data === undefined || data.queue === 'off') return null
  const isWaiting = data.waiting > 0 && !data.workers.some(canRun)
  return (
    <Card title={words.title} aside={words.waiting(data.waiting)}>
      {data.queue === 'unreachable' && <Notice tone="bad" title={words.unreachable} />}
      {data.queue === 'connected' && isWaiting && <Notice tone="warn" title={words.nobody} />}
      {data.workers.length === 0 && <p className={queue.none}>{words.none}</p>}
      <ul className={classes.list} aria-label={words.title}>
        {data.workers.map((worker) => (
          <li key={worker.name}>
            <WorkerRow {...worker} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function canRun({ excluded, lost_s: lostS }: BacktestWorker): boolean {
  return excluded === null && lostS === null
}

function WorkerRow(worker: BacktestWorker) {
  const { name, host, version, threads, busy, done, runs_per_minute: rate, lost_s: lostS, excluded } = worker
  const isLost = lostS !== null
  return (
    <>
      <div className={classes.head}>
        <b>{name}</b>
        <Badge tone={canRun(worker) ? (busy > 0 ? 'good' : 'calm') : 'bad'}>{stateText(worker)}</Badge>
      </div>
      {!isLost && <Meter label={words.load(name)} percent={(100 * busy) / threads} tone="info" />}
      <p className={queue.hint}>
        {isLost ? words.lastFigures(busy, threads, done) : words.figures(busy, threads, rate, done)}
        <br />
        {words.machine(host, version)}
      </p>
      {excluded !== null && <Notice tone="bad" title={excluded} />}
      {isLost && <Notice tone="warn" title={words.lostFor(formatDuration(lostS * 1000))} />}
    </>
  )
}

function stateText({ excluded, lost_s: lostS, busy }: BacktestWorker): string {
  if (excluded !== null) return words.excluded
  if (lostS !== null) return words.lost
  return busy > 0 ? words.working : words.idle
}

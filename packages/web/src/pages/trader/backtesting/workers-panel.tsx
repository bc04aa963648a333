import type { BacktestWorker } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { workerQueries } from '#data/backtest-workers.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Meter } from '#ui/figure/meter.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import queue from './queue-panel.module.css'
import classes from './workers-panel.module.css'

const { workers: words } = copy

/** BT-52: the workers on other machines; nothing where backtests run in the server. */
export function WorkersPanel() {
  const { data } = useQuery(workerQueries.list())
  if (data === undefined || data.queue === 'off') return null
  const isWaiting = data.waiting > 0 && !data.workers.some(({ excluded }) => excluded === null)
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

function WorkerRow({
  name,
  host,
  version,
  threads,
  busy,
  done,
  runs_per_minute: rate,
  excluded,
}: BacktestWorker) {
  const isExcluded = excluded !== null
  return (
    <>
      <div className={classes.head}>
        <b>{name}</b>
        <Badge tone={isExcluded ? 'bad' : busy > 0 ? 'good' : 'calm'}>
          {isExcluded ? words.excluded : busy > 0 ? words.working : words.idle}
        </Badge>
      </div>
      <Meter label={words.load(name)} percent={(100 * busy) / threads} tone="info" />
      <p className={queue.hint}>
        {words.figures(busy, threads, rate, done)}
        <br />
        {words.machine(host, version)}
      </p>
      {isExcluded && <Notice tone="bad" title={excluded} />}
    </>
  )
}

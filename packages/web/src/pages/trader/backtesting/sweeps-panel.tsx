import type { Id, SweepSummary } from '@binnacle/contract'
import { isSweepActive } from '#data/sweeps.ts'
import { formatDuration } from '#format/duration.ts'
import { useNow } from '#state/now.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './queue-panel.module.css'
import { describeRun, statusText, toneOfRun } from './run-format.ts'
import runs from './runs-panel.module.css'
import { formatMeasure, sweepTimeLeftMs } from './sweep-figures.ts'

export interface SweepsPanelProps {
  /** Newest first. */
  sweeps: readonly SweepSummary[]
  chosen: string | undefined
  cancelling: ReadonlySet<string>
  onChoose: (id: string) => void
  onCancel: (id: Id) => void
}

/** BT-38 */
export function SweepsPanel({ sweeps, chosen, cancelling, onChoose, onCancel }: SweepsPanelProps) {
  const { sweeps: words } = copy
  return (
    <Card title={words.title} aside={String(sweeps.length)}>
      {sweeps.length === 0 && <p className={classes.none}>{words.empty}</p>}
      <ul className={runs.list} aria-label={words.title}>
        {sweeps.map((sweep) => {
          const id = String(sweep.id)
          return (
            <li key={id} className={runs.row} aria-current={id === chosen ? 'true' : undefined}>
              <button type="button" className={runs.choose} onClick={() => onChoose(id)}>
                <b>{words.name(id)}</b>
                <span className={runs.about}>{describeRun({ request: sweep.request.base })}</span>
                <span className={runs.figure}>
                  {sweep.best ? (
                    formatMeasure(sweep.best.value, sweep.request.measure)
                  ) : (
                    <Badge tone={toneOfRun(sweep.status)}>{statusText(sweep.status)}</Badge>
                  )}
                </span>
                <span className={runs.when}>{words.done(sweep.done, sweep.total)}</span>
              </button>
              {isSweepActive(sweep) && (
                <Button
                  aria-label={words.cancelName(words.name(id))}
                  busy={cancelling.has(id)}
                  onClick={() => onCancel(sweep.id)}
                >
                  {words.cancel}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {sweeps.filter(isSweepActive).map((sweep) => (
        <SweepProgress key={sweep.id} sweep={sweep} />
      ))}
    </Card>
  )
}

export function SweepProgress({ sweep }: { sweep: SweepSummary }) {
  const now = useNow()
  const left = sweepTimeLeftMs(sweep, now)
  const { sweeps: words } = copy
  return (
    <>
      <progress
        className={classes.bar}
        aria-label={words.progress(words.name(sweep.id))}
        max={sweep.total}
        value={sweep.done}
      />
      <p className={classes.hint}>
        {left === undefined
          ? words.waiting
          : words.left(words.done(sweep.done, sweep.total), formatDuration(left))}
      </p>
    </>
  )
}

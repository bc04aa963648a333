import type { BacktestResult, Id, LookAhead } from '@binnacle/contract'
import { useMemo, useState } from 'react'
import { useOffers } from '#data/capabilities.ts'
import { DRAWS, type ResampledPaths, resampleTrades } from '#data/resample.ts'
import { useCheckLookAhead } from '#data/sweeps.ts'
import { formatReturn, formatShare } from '#format/statistic.ts'
import { createFailureToasts } from '#state/command-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './robustness.module.css'

export interface RobustnessProps {
  id: Id
  result: BacktestResult
  capital: number
}

/** BT-36: what the same trades in another order and mix would have made. */
export function Robustness({ id, result, capital }: RobustnessProps) {
  const resampled = useMemo(
    () =>
      resampleTrades(
        result.trades.map(({ pnl }) => pnl),
        capital,
      ),
    [result, capital],
  )
  const { robustness } = copy
  const last = resampled?.steps.at(-1)?.band
  if (resampled === undefined || last === undefined)
    return (
      <Card title={robustness.title} actions={<Check id={id} />}>
        <p className={classes.hint}>{robustness.few}</p>
      </Card>
    )
  const share = (equity: number) => formatReturn(equity / capital - 1)
  const { drawdown } = resampled
  return (
    <Card title={robustness.title} aside={robustness.draws(DRAWS)} actions={<Check id={id} />}>
      <div className={classes.content}>
        <Bands
          resampled={resampled}
          capital={capital}
          label={robustness.sentence(share(last.low), share(last.high))}
        />
        <Figures columns={3}>
          <Figure label={robustness.final} value={robustness.range(share(last.low), share(last.high))} />
          <Figure label={robustness.median} value={share(last.median)} />
          <Figure
            label={robustness.drawdown}
            value={robustness.range(formatShare(drawdown.low), formatShare(drawdown.high))}
          />
        </Figures>
      </div>
    </Card>
  )
}

/** BT-42 */
function Check({ id }: { id: Id }) {
  return useOffers('sweeps') ? <LookAheadCheck id={id} /> : null
}

function LookAheadCheck({ id }: { id: Id }) {
  const [report, setReport] = useState<LookAhead>()
  const { robustness } = copy
  const check = useCheckLookAhead({
    ...createFailureToasts<Id>({ name: (of) => `look-ahead of ${of}`, unknown: robustness.checkUnknown }),
    onDone: setReport,
  })
  return (
    <>
      {report && (
        <span title={report.at === null ? undefined : robustness.difference(report.at)}>
          <Badge tone={report.status === 'failed' ? 'bad' : 'good'}>{checkedText(report)}</Badge>
        </span>
      )}
      <Button busy={check.isPending} onClick={() => check.run(id)}>
        {robustness.check}
      </Button>
    </>
  )
}

function checkedText({ status, cuts }: LookAhead): string {
  const { passed, failed, nothing } = copy.robustness.checked
  if (status === 'failed') return failed
  return status === 'nothing' ? nothing : passed(cuts)
}

const WIDTH = 300
const HEIGHT = 90

function Bands({ resampled, capital, label }: { resampled: ResampledPaths; capital: number; label: string }) {
  const { steps } = resampled
  const low = Math.min(capital, ...steps.map(({ band }) => band.low))
  const high = Math.max(capital, ...steps.map(({ band }) => band.high))
  const all = steps.at(-1)?.trades ?? 1
  const point = (trades: number, equity: number) =>
    `${((trades / all) * WIDTH).toFixed(1)},${(HEIGHT - ((equity - low) / (high - low || 1)) * HEIGHT).toFixed(1)}`
  const edge = [
    ...steps.map(({ trades, band }) => point(trades, band.high)),
    ...steps.map(({ trades, band }) => point(trades, band.low)).toReversed(),
  ]
  return (
    <svg
      className={classes.bands}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polygon points={edge.join(' ')} />
      <polyline points={[point(0, capital), point(all, capital)].join(' ')} data-line="base" />
      <polyline points={steps.map(({ trades, band }) => point(trades, band.median)).join(' ')} />
    </svg>
  )
}

import type { PerformanceReport } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatMoney } from '#format/money.ts'
import { formatReturn, formatShare } from '#format/statistic.ts'
import { formatDateTime, formatInstant } from '#format/time.ts'
import { Card } from '#ui/frame/card.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy } from './copy.ts'
import classes from './equity-panel.module.css'
import { equityPoints } from './equity-points.ts'

/** The chart library is a part of its own, loaded after the screen. */
const CurveChart = lazyPart(async () => (await import('#ui/chart/curve-chart.tsx')).CurveChart)

export interface EquityPanelProps {
  report: PerformanceReport
  /** The name of the chosen strategy; undefined for all. */
  name: string | undefined
  /** The instrument that was asked for. */
  hold: string | undefined
}

/** PERF-1, PERF-6, PERF-11, PERF-12, PERF-31, PERF-32 */
export function EquityPanel({ report, name = copy.curve.all, hold }: EquityPanelProps) {
  const { curve: words } = copy
  const { curves, lower } = useCurves(report, name)
  const { gaps } = report
  return (
    <Card
      title={words.title}
      aside={[words.since(formatInstant(report.from)), ...holdText(report, hold)].join('; ')}
    >
      <LazyBoundary fallback={<Loading text={copy.loading} bare height={264} />}>
        <CurveChart
          label={words.sentence(
            name,
            formatDateTime(report.from),
            formatDateTime(report.to),
            formatMoney(report.end_equity),
            formatShare(report.figures.max_drawdown),
          )}
          curves={curves}
          base={report.start_equity}
          format={formatMoney}
          lower={lower}
        />
      </LazyBoundary>
      {gaps.length > 0 && (
        <details className={classes.gaps}>
          <summary>{words.gaps(gaps.length)}</summary>
          <ul>
            {gaps.map(({ from, to }) => (
              <li key={from}>{words.gap(formatDateTime(from), formatDateTime(to))}</li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

function useCurves(report: PerformanceReport, name: string) {
  return useMemo(() => {
    const { curve: words } = copy
    const gapS = report.step_s * 1.5
    const points = equityPoints(report)
    const compared = [
      report.hold && { name: words.hold(report.hold.instrument), points: report.hold.points },
      report.run && { name: copy.runName(report.run.backtest), points: report.run.points },
    ].filter((each) => each !== null)
    return {
      curves: [
        { name, gapS, points: points.map(({ at, equity }) => ({ at, value: equity })) },
        ...compared.map(({ name: other, points }) => ({
          name: other,
          points: points.map(([at, value]) => ({ at, value })),
        })),
      ],
      lower: {
        name: words.drawdown,
        gapS,
        points: points.map(({ at, drawdown }) => ({ at, value: -drawdown })),
        format: formatDrawdown,
      },
    }
  }, [report, name])
}

function formatDrawdown(value: number): string {
  return formatReturn(value)
}

function holdText({ hold }: PerformanceReport, asked: string | undefined): string[] {
  if (asked === undefined) return []
  return [
    hold === null
      ? copy.curve.noHold(asked)
      : copy.curve.holdReturn(hold.instrument, formatReturn(hold.total_return)),
  ]
}

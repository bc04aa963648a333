import type { PerformanceReport } from '@binnacle/contract'
import type { ReactNode } from 'react'
import { formatGain, roundToZero } from '#format/money.ts'
import { formatWinRate } from '#format/percent.ts'
import { formatRatio, formatReturn, formatShare } from '#format/statistic.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { type Tone, toneOfGain, toneText } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { type ReasonedFigure, reasonFor } from './figure-reasons.ts'
import classes from './key-figures.module.css'

/** PERF-21: figures with their history; one that is not defined says why. */
export function KeyFigures({ report }: { report: PerformanceReport }) {
  const { figures, curve, rolling, pnl } = report
  const labels = copy.figures
  const equities = thin(curve.map(([, equity]) => equity))
  const amount = roundToZero(pnl)
  const change = figures.total_return
  return (
    <dl className={classes.strip} aria-label={labels.label}>
      <KeyFigure
        label={labels.return}
        tone={change === null ? undefined : toneOfGain(change, true)}
        reason={reasonFor('total_return', figures)}
        value={change === null ? null : `${arrowOf(change)}${formatReturn(change)}`}
      >
        <SparkLine values={equities} base={report.start_equity} />
      </KeyFigure>
      <KeyFigure label={labels.pnl} tone={toneOfGain(amount, true)} value={formatGain(amount)}>
        <SparkLine values={equities} base={report.start_equity} />
      </KeyFigure>
      <RatioFigure name="sharpe" label={labels.sharpe} figures={figures}>
        <SparkLine values={thin(rolling.map(({ sharpe }) => sharpe))} />
      </RatioFigure>
      <RatioFigure name="sortino" label={labels.sortino} figures={figures} />
      <KeyFigure label={labels.drawdown} value={formatShare(figures.max_drawdown)}>
        <SparkLine values={thin(curve.map(([, , drawdown]) => -drawdown))} base={0} />
      </KeyFigure>
      <KeyFigure
        label={labels.winRate}
        reason={reasonFor('win_rate', figures)}
        value={figures.win_rate === null ? null : formatWinRate(figures.win_rate)}
      >
        <SparkLine values={thin(rolling.map(({ win_rate: rate }) => rate))} />
      </KeyFigure>
      <RatioFigure name="payoff" label={labels.payoff} figures={figures} />
      <KeyFigure
        label={labels.expectancy}
        reason={reasonFor('expectancy', figures)}
        value={figures.expectancy === null ? null : formatGain(figures.expectancy)}
      />
    </dl>
  )
}

interface KeyFigureProps {
  label: string
  value: string | null
  tone?: Tone | undefined
  /** Why there is no value. */
  reason?: string | undefined
  children?: ReactNode
}

function KeyFigure({ label, value, tone, reason, children }: KeyFigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={classes.value} style={tone && { color: toneText(tone) }}>
        {value ?? copy.none}
      </dd>
      <dd className={classes.history}>{reason === undefined ? children : <small>{reason}</small>}</dd>
    </div>
  )
}

interface RatioFigureProps {
  name: ReasonedFigure
  label: string
  figures: PerformanceReport['figures']
  children?: ReactNode
}

function RatioFigure({ name, label, figures, children }: RatioFigureProps) {
  const value = figures[name]
  return (
    <KeyFigure
      label={label}
      reason={reasonFor(name, figures)}
      value={value === null ? null : formatRatio(value)}
    >
      {children}
    </KeyFigure>
  )
}

function arrowOf(change: number): string {
  return change > 0 ? '▲ ' : change < 0 ? '▼ ' : ''
}

const MAX_SPARK_POINTS = 120

/** Every nth value, the last one included. */
export function thin<Value>(values: readonly Value[]): readonly Value[] {
  const every = Math.ceil(values.length / MAX_SPARK_POINTS)
  return values.filter((_, index) => (values.length - 1 - index) % every === 0)
}

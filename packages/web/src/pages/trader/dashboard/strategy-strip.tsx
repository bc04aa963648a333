import type { Samples, Strategy } from '@binnacle/contract'
import { Link } from 'react-router'
import { seriesOf } from '#data/samples.ts'
import { directionOf, formatGain, roundToZero } from '#format/money.ts'
import { paths } from '#paths.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { StatusDot } from '#ui/figure/status-dot.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfStatus } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { sparkValues } from './day-view.ts'
import classes from './strategy-strip.module.css'

const MAX_SHOWN = 4
const MAX_STOPPED = 3

export interface StrategyStripProps {
  strategies: readonly Strategy[]
  /** Their P&L of today; undefined until loaded. */
  today: Samples | undefined
  nowS: number
}

/** TRD-16: running strategies with today's result and its history, then the names of the others. */
export function StrategyStrip({ strategies, today, nowS }: StrategyStripProps) {
  const { strategies: words } = copy
  const active = shownStrategies(strategies)
  const others = strategies.filter((strategy) => !active.includes(strategy))
  return (
    <Card>
      <section className={classes.strip} aria-label={words.title}>
        {active.map((strategy) => (
          <StrategyCell key={strategy.id} strategy={strategy} today={today} nowS={nowS} />
        ))}
        {others.length > 0 && (
          <div className={classes.others}>
            <p className={classes.small}>{words.others(others.length)}</p>
            {others.slice(0, MAX_STOPPED).map(({ id, name, status }) => (
              <p key={id} className={classes.other}>
                <StatusDot tone={status === 'stopped' ? 'calm' : toneOfStatus(status)} />
                <span>{name}</span>
              </p>
            ))}
          </div>
        )}
      </section>
    </Card>
  )
}

/** Those that do not rest, the oldest first. */
export function shownStrategies(strategies: readonly Strategy[]): readonly Strategy[] {
  return strategies.filter(({ status }) => status !== 'stopped').slice(0, MAX_SHOWN)
}

function StrategyCell({
  strategy,
  today,
  nowS,
}: { strategy: Strategy } & Omit<StrategyStripProps, 'strategies'>) {
  const { name, status, performance } = strategy
  const series = seriesOf(today, pnlSeries(strategy))
  const total = performance.total_pnl
  // One without a sample from before today began today.
  const gain = total === undefined ? undefined : total - (series?.before?.value ?? 0)
  return (
    <Link to={paths.strategies} className={classes.cell}>
      <span className={classes.name}>
        <StatusDot tone={toneOfStatus(status)} />
        <b>{name}</b>
      </span>
      <span className={classes.figures}>
        <b data-direction={directionOf(gain ?? 0)}>
          {gain === undefined ? copy.unknown : formatGain(roundToZero(gain))}
        </b>
        <span className={classes.small}>{copy.strategies.today}</span>
        <span className={classes.status}>{status}</span>
      </span>
      <SparkLine values={sparkValues(today, series, nowS)} base={series?.before?.value ?? 0} />
    </Link>
  )
}

export function pnlSeries({ id }: Pick<Strategy, 'id'>): string {
  return `strategy.${id}.pnl`
}

import type { RiskLimits, RiskMetrics } from '@binnacle/contract'
import type { ReactNode } from 'react'
import { formatMoney } from '#format/money.ts'
import { formatDrawdown, formatPercent } from '#format/percent.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Meter } from '#ui/figure/meter.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfUse } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import classes from './metric-cards.module.css'
import { exposurePercent, marginPercent, toneOfExposure } from './risk-levels.ts'

export interface MetricCardsProps {
  metrics: RiskMetrics
  /** Undefined if they are unknown. */
  limits: RiskLimits | undefined
  /** FEAT-18: without Risk Service there is no value at risk. */
  isRiskStopped?: boolean
}

export function MetricCards({ metrics, limits, isRiskStopped = false }: MetricCardsProps) {
  return (
    <div className={classes.cards}>
      <ExposureCard metrics={metrics} limits={limits} />
      <MarginCard metrics={metrics} />
      <DrawdownCard metrics={metrics} isRiskStopped={isRiskStopped} />
    </div>
  )
}

function ExposureCard({ metrics, limits }: MetricCardsProps) {
  if (!limits) {
    return (
      <MetricCard title={copy.exposure.title} value={formatMoney(metrics.total_exposure)}>
        <p className={classes.note}>{copy.exposure.share(copy.unknown)}</p>
      </MetricCard>
    )
  }
  const percent = exposurePercent(metrics, limits)
  return (
    <MetricCard title={copy.exposure.title} value={formatMoney(metrics.total_exposure)}>
      <Meter label={copy.exposure.meter} percent={percent} tone={toneOfExposure(percent)} />
      <p className={classes.note}>{copy.exposure.share(formatPercent(percent, 1))}</p>
    </MetricCard>
  )
}

function MarginCard({ metrics }: Pick<MetricCardsProps, 'metrics'>) {
  const percent = marginPercent(metrics)
  return (
    <MetricCard title={copy.margin.title} value={formatMoney(metrics.margin_used)}>
      <Meter label={copy.margin.meter} percent={percent} tone={toneOfUse(percent)} />
      <p className={classes.note}>
        <span>{copy.margin.share(formatPercent(percent, 1))}</span>
        <span>{copy.margin.available(formatMoney(metrics.margin_available))}</span>
      </p>
    </MetricCard>
  )
}

function DrawdownCard({
  metrics: { max_drawdown, var_1d },
  isRiskStopped,
}: Pick<MetricCardsProps, 'metrics' | 'isRiskStopped'>) {
  const valueAtRisk = typeof var_1d === 'number' ? formatMoney(var_1d) : copy.unknown
  return (
    <MetricCard title={copy.drawdown.title} value={formatDrawdown(max_drawdown)}>
      <p className={classes.note}>{copy.drawdown.valueAtRisk(valueAtRisk)}</p>
      {isRiskStopped && (
        <p className={classes.note}>
          <span>
            {copy.drawdown.serviceStopped}{' '}
            <TextLink to={paths.adminFeatures}>{copy.drawdown.startService}</TextLink>
          </span>
        </p>
      )}
    </MetricCard>
  )
}

interface MetricCardProps {
  title: string
  value: string
  children: ReactNode
}

function MetricCard({ title, value, children }: MetricCardProps) {
  return (
    <Card title={title}>
      <p className={classes.value}>{value}</p>
      {children}
    </Card>
  )
}

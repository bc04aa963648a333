import type { RiskMetrics, Samples, StoredRiskLimits } from '@binnacle/contract'
import type { CSSProperties, ReactNode } from 'react'
import { seriesOf } from '#data/samples.ts'
import { formatMoney } from '#format/money.ts'
import { formatDrawdown, formatPercent, percentOf } from '#format/percent.ts'
import { paths } from '#paths.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Meter } from '#ui/figure/meter.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfUse } from '#ui/look/tone.ts'
import { Loading } from '#ui/state/loading.tsx'
import { copy } from './copy.ts'
import { sparkValues } from './day-view.ts'
import classes from './risk-card.module.css'

export interface RiskCardProps {
  isLoading: boolean
  metrics: RiskMetrics | undefined
  /** What a live backend knows beside the six figures. */
  live?: RiskDetails | undefined
  mark?: ReactNode
}

export interface RiskDetails {
  limits: StoredRiskLimits | undefined
  today: Samples | undefined
  nowS: number
  /** FEAT-18: without Risk Service there is no value at risk. */
  isRiskStopped: boolean
}

export function RiskCard({ isLoading, metrics, live, mark }: RiskCardProps) {
  const { risk: words } = copy
  if (live !== undefined && metrics !== undefined) {
    return (
      <Card title={words.title} aside={mark} actions={<TextLink to={paths.risk}>{words.limits}</TextLink>}>
        <RiskStrip metrics={metrics} live={live} />
      </Card>
    )
  }
  return (
    <Card title={words.title}>
      {isLoading ? (
        <Loading bare text={words.loading} />
      ) : (
        <Figures columns={3}>
          <Figure label={words.totalExposure} value={money(metrics?.total_exposure)} />
          <Figure label={words.marginUsed} value={money(metrics?.margin_used)} />
          <Figure label={words.availableMargin} value={money(metrics?.margin_available)} />
          <Figure
            label={words.maxDrawdown}
            value={metrics ? formatDrawdown(metrics.max_drawdown) : copy.unknown}
          />
          <Figure label={words.valueAtRisk} value={money(metrics?.var_1d)} />
          <Figure label={words.positionCount} value={metrics?.position_count ?? copy.unknown} />
        </Figures>
      )}
    </Card>
  )
}

/** TRD-13: every figure with its limit and the use of it, or with its history today. */
function RiskStrip({ metrics, live }: { metrics: RiskMetrics; live: RiskDetails }) {
  const { risk: words } = copy
  const { max_position_size: maxExposure, max_positions: maxPositions } = live.limits ?? {}
  const { max_daily_loss: maxLoss } = live.limits ?? {}
  const exposure = shareOf(metrics.total_exposure, maxExposure)
  const margin = percentOf(metrics.margin_used, metrics.margin_used + metrics.margin_available)
  const positions = shareOf(metrics.position_count, maxPositions)
  const loss = Math.max(0, -(metrics.account?.day_pnl ?? 0))
  const lossShare = shareOf(loss, maxLoss)
  const spark = (name: string) => (
    <SparkLine values={sparkValues(live.today, seriesOf(live.today, name), live.nowS)} />
  )
  return (
    <div className={classes.area}>
      <dl className={classes.strip}>
        <Metric
          label={words.totalExposure}
          value={money(metrics.total_exposure)}
          note={
            exposure === undefined ? '' : words.ofLimit(formatPercent(exposure, 1), wholeMoney(maxExposure))
          }
          meter={exposure}
        />
        <Metric
          label={words.marginUsed}
          value={money(metrics.margin_used)}
          note={words.used(formatPercent(margin, 1))}
          meter={margin}
        />
        <Metric
          label={words.availableMargin}
          value={money(metrics.margin_available)}
          note={words.free(formatPercent(100 - margin, 1))}
        >
          {spark('margin.available')}
        </Metric>
        <Metric label={words.maxDrawdown} value={formatDrawdown(metrics.max_drawdown)} note={words.fromPeak}>
          {spark('drawdown.max')}
        </Metric>
        <Metric
          label={words.valueAtRisk}
          value={money(metrics.var_1d)}
          note={live.isRiskStopped ? <RiskStopped /> : valueAtRiskNote(metrics)}
          isNoteWhole={live.isRiskStopped}
        >
          {spark('var.1d')}
        </Metric>
        <Metric
          label={words.positionCount}
          value={String(metrics.position_count)}
          note={maxPositions == null ? '' : words.of(String(maxPositions))}
          meter={positions}
        />
        {metrics.account && (
          <Metric
            label={words.dailyLoss}
            value={money(loss)}
            note={
              lossShare === undefined ? '' : words.ofLimit(formatPercent(lossShare, 1), wholeMoney(maxLoss))
            }
            meter={lossShare}
          />
        )}
      </dl>
    </div>
  )
}

interface MetricProps {
  label: string
  value: string
  note: ReactNode
  /** The note says what to do: it takes further lines instead of being cut. */
  isNoteWhole?: boolean
  /** The use of a limit in percent. */
  meter?: number | undefined
  children?: ReactNode
}

function RiskStopped() {
  const { risk: words } = copy
  return (
    <>
      {words.riskStopped} <TextLink to={paths.adminFeatures}>{words.startRisk}</TextLink>
    </>
  )
}

function Metric({ label, value, note, isNoteWhole = false, meter, children }: MetricProps) {
  return (
    <div className={classes.metric}>
      <dt>{label}</dt>
      <dd className={classes.value} style={widthOf(value)}>
        {value}
      </dd>
      <dd
        className={classes.note}
        style={typeof note === 'string' ? widthOf(note) : undefined}
        data-whole={isNoteWhole || undefined}
      >
        {note}
      </dd>
      <dd className={classes.history}>
        {meter !== undefined && <Meter label={label} percent={meter} tone={toneOfUse(meter)} />}
        {children}
      </dd>
    </div>
  )
}

/** TRD-61: a text that is too long for its tile is set smaller. */
function widthOf(text: string): CSSProperties {
  // React's type knows no custom properties.
  return { '--chars': text.length } as CSSProperties
}

function shareOf(value: number, limit: number | null | undefined): number | undefined {
  return typeof limit === 'number' ? percentOf(value, limit) : undefined
}

function valueAtRiskNote({ var_1d, account }: RiskMetrics): string {
  if (typeof var_1d !== 'number' || !account) return ''
  return copy.risk.ofEquity(formatPercent(percentOf(var_1d, account.equity), 1))
}

/** A limit is usually a round number, and the strip is narrow. */
function wholeMoney(amount: number | null | undefined): string {
  return money(amount).replace(/\.00$/, '')
}

function money(amount: number | null | undefined): string {
  return typeof amount === 'number' ? formatMoney(amount) : copy.unknown
}

import type { Account, Samples } from '@binnacle/contract'
import { type ReactNode, useState } from 'react'
import { seriesOf } from '#data/samples.ts'
import { directionOf, formatGain, formatMoney, roundToZero } from '#format/money.ts'
import { formatNumber } from '#format/number.ts'
import { formatPercent } from '#format/percent.ts'
import { Segments } from '#ui/control/segments.tsx'
import { Card } from '#ui/frame/card.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { copy } from './copy.ts'
import { type Curve, changeToday, type DayChart, dayChart, dayPercent } from './day-view.ts'
import classes from './pnl-panel.module.css'

const LineChart = lazyPart(async () => (await import('#ui/chart/line-chart.tsx')).LineChart)

const CURVES = [
  { value: 'pnl', label: copy.pnl.curves.pnl },
  { value: 'equity', label: copy.pnl.curves.equity },
] as const satisfies readonly { value: Curve; label: string }[]

export interface PnlPanelProps {
  /** Undefined until loaded; the panel has its final size from the start. */
  account: Account | undefined
  /** The curves; undefined until loaded. */
  curves: Samples | undefined
  /** The other figures; undefined until loaded. */
  today: Samples | undefined
  yesterday: Samples | undefined
  nowS: number
  mark?: ReactNode
}

export function PnlPanel({ account, curves, today, yesterday, nowS, mark }: PnlPanelProps) {
  const [curve, setCurve] = useState<Curve>('pnl')
  const { pnl: words } = copy
  const value = curve === 'pnl' ? account?.day_pnl : account?.equity
  const chart = curves && dayChart(curve, curves, yesterday, { at: nowS, value })
  return (
    <Card
      title={words.title}
      aside={
        <span className={classes.scope}>
          {words.since} {mark}
        </span>
      }
      actions={
        <>
          {chart && chart.compared.length > 0 && <span className={classes.key}>{words.yesterday}</span>}
          <Segments label={words.curve} labelHidden options={CURVES} value={curve} onChange={setCurve} />
        </>
      }
    >
      <div className={classes.area}>
        <div className={classes.heads}>
          {account && <Hero account={account} />}
          {account && <DayFigures account={account} today={today} />}
        </div>
      </div>
      <div className={classes.chart}>
        {chart && <Extremes chart={chart} curve={curve} />}
        <LazyBoundary>
          {chart && account && (
            <LineChart
              label={sentenceOf(curve, chart, account)}
              points={chart.points}
              compared={{ name: words.yesterday, points: chart.compared }}
              {...(curve === 'pnl' && { base: 0 })}
              marks={chart.marks}
              range={chart.range}
              format={curve === 'pnl' ? formatGain : formatMoney}
              formatAxis={axisText}
            />
          )}
        </LazyBoundary>
      </div>
    </Card>
  )
}

function Hero({ account }: { account: Account }) {
  const result = roundToZero(account.day_pnl)
  const direction = directionOf(result)
  const percent = roundToZero(dayPercent(account))
  return (
    <p className={classes.hero} data-direction={direction}>
      <b>
        {direction && <i aria-hidden>{direction === 'up' ? '▲' : '▼'}</i>} {formatGain(result)}
      </b>
      <span>{`${percent > 0 ? '+' : ''}${formatPercent(percent, 2)}`}</span>
    </p>
  )
}

function DayFigures({ account, today }: { account: Account; today: Samples | undefined }) {
  const { pnl: words, unknown } = copy
  const realized = changeToday(account.realized_pnl, seriesOf(today, 'pnl.realized'), account)
  const fees = changeToday(account.fees, seriesOf(today, 'fees'), account)
  const gain = (label: string, amount: number | undefined) => (
    <div>
      <dt>{label}</dt>
      <dd data-direction={directionOf(amount ?? 0)}>
        {amount === undefined ? unknown : formatGain(roundToZero(amount))}
      </dd>
    </div>
  )
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{words.equity}</dt>
        <dd>{formatMoney(account.equity)}</dd>
        {account.left_out && <dd className={classes.note}>{words.without(account.left_out.join(', '))}</dd>}
      </div>
      {gain(words.realized, realized)}
      {gain(words.unrealized, account.unrealized_pnl)}
      <div>
        <dt>{words.fees}</dt>
        <dd>{fees === undefined ? unknown : formatMoney(-roundToZero(fees))}</dd>
      </div>
    </dl>
  )
}

function Extremes({ chart, curve }: { chart: DayChart; curve: Curve }) {
  const { extremes } = chart
  if (extremes === undefined) return <p className={classes.extremes}>{copy.pnl.recording}</p>
  const format = curve === 'pnl' ? formatGain : formatMoney
  const { low, high } = extremes
  return (
    <p className={classes.extremes}>
      {copy.pnl.low(format(low.value), timeOf(low.at))} · {copy.pnl.high(format(high.value), timeOf(high.at))}
    </p>
  )
}

function sentenceOf(curve: Curve, { range }: DayChart, account: Account): string {
  const now = curve === 'pnl' ? formatGain(account.day_pnl) : formatMoney(account.equity)
  return copy.pnl.sentence(copy.pnl.curves[curve], timeOf(range.from), timeOf(range.to), now)
}

/** Whole dollars from ten on: the exact figure is beside the curve. */
function axisText(amount: number): string {
  const decimals = Math.abs(amount) < 10 && !Number.isInteger(amount) ? 2 : 0
  return formatNumber(amount, decimals, decimals)
}

function timeOf(atS: number): string {
  return new Date(atS * 1000).toISOString().slice(11, 16)
}

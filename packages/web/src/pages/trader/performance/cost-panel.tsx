import type { PerformanceReport } from '@binnacle/contract'
import { formatGain, roundToZero } from '#format/money.ts'
import { formatShare } from '#format/statistic.ts'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './cost-panel.module.css'

/** PERF-9: each cost begins where the one before it ended. */
export function CostPanel({ costs }: Pick<PerformanceReport, 'costs'>) {
  const { costs: words } = copy
  const share = costs.gross > 0 ? words.share(formatShare(costs.fees / costs.gross)) : undefined
  return (
    <Card title={words.title} aside={share}>
      <ol className={classes.steps} aria-label={words.sentence}>
        {stepsOf(costs).map(({ name, amount, left, width, kind }) => (
          <li key={name} data-kind={kind}>
            <span>{name}</span>
            <span className={classes.track} aria-hidden>
              <i style={{ left: `${left}%`, width: `${width}%` }} />
            </span>
            <span className={classes.amount}>{formatGain(roundToZero(amount))}</span>
          </li>
        ))}
      </ol>
      <p className={classes.note}>{words.measured(costs.measured_fills, costs.fills)}</p>
    </Card>
  )
}

interface CostStep {
  name: string
  amount: number
  kind: 'total' | 'gain' | 'loss'
  /** In percent of the width. */
  left: number
  width: number
}

/** The bars from the gross to the net result. */
export function stepsOf({ gross, fees, slippage, funding, net }: PerformanceReport['costs']): CostStep[] {
  const { costs: words } = copy
  const changes = [
    { name: words.fees, amount: -fees },
    { name: words.slippage, amount: -slippage },
    { name: words.funding, amount: funding },
  ]
  let level = gross
  const bars = [
    { name: words.gross, amount: gross, from: 0, to: gross },
    ...changes.map(({ name, amount }) => {
      const from = level
      level += amount
      return { name, amount, from, to: level }
    }),
    { name: words.net, amount: net, from: 0, to: net },
  ]
  const high = Math.max(0, ...bars.flatMap(({ from, to }) => [from, to]))
  const low = Math.min(0, ...bars.flatMap(({ from, to }) => [from, to]))
  const scale = 100 / (high - low || 1)
  return bars.map(({ name, amount, from, to }, index) => ({
    name,
    amount,
    kind: index === 0 || index === bars.length - 1 ? 'total' : amount < 0 ? 'loss' : 'gain',
    left: (Math.min(from, to) - low) * scale,
    width: Math.abs(to - from) * scale,
  }))
}

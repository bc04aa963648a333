import type { StrategyPerformance } from '@binnacle/contract'
import { formatGain, roundToZero } from '#format/money.ts'
import { formatWinRate } from '#format/percent.ts'
import { formatRatio } from '#format/statistic.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfGain, toneText } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { thin } from './key-figures.tsx'
import classes from './strategies-panel.module.css'

export interface StrategiesPanelProps {
  strategies: readonly StrategyPerformance[]
  onChoose: (strategy: string) => void
}

/** PERF-10 */
export function StrategiesPanel({ strategies, onChoose }: StrategiesPanelProps) {
  const { strategies: words } = copy
  return (
    <Card title={words.title}>
      {strategies.length === 0 ? (
        <p className={classes.none}>{words.none}</p>
      ) : (
        <ul className={classes.cells}>
          {strategies.map((row) => {
            const name = row.name ?? copy.manual
            const pnl = roundToZero(row.pnl)
            return (
              <li key={row.strategy}>
                <button type="button" title={words.show(name)} onClick={() => onChoose(row.strategy)}>
                  {name}
                </button>
                <b style={{ color: toneText(toneOfGain(pnl, true)) }}>{formatGain(pnl)}</b>
                <SparkLine values={[0, ...thin(row.points.map(([, value]) => value))]} base={0} />
                <small>
                  {[
                    words.sharpe(formatRatio(row.sharpe)),
                    words.trades(row.trades),
                    row.win_rate === null ? undefined : formatWinRate(row.win_rate),
                  ]
                    .filter((part) => part !== undefined)
                    .join(' · ')}
                </small>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

import type { PerformanceReport } from '@binnacle/contract'
import { formatWinRate } from '#format/percent.ts'
import { formatRatio } from '#format/statistic.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import { thin } from './key-figures.tsx'
import classes from './rolling-panel.module.css'

/** PERF-8 */
export function RollingPanel({ rolling }: Pick<PerformanceReport, 'rolling'>) {
  const { rolling: words } = copy
  return (
    <Card title={words.title}>
      <div className={classes.rows}>
        <Rolling
          label={words.sharpe}
          values={rolling.map(({ sharpe }) => sharpe)}
          format={(value) => formatRatio(value)}
        />
        <Rolling
          label={words.winRate}
          values={rolling.map(({ win_rate: rate }) => rate)}
          format={formatWinRate}
        />
      </div>
    </Card>
  )
}

interface RollingProps {
  label: string
  values: readonly (number | null)[]
  format: (value: number) => string
}

function Rolling({ label, values, format }: RollingProps) {
  const known = values.filter((value) => value !== null)
  const last = values.at(-1) ?? null
  return (
    <div>
      <p className={classes.label}>{label}</p>
      <p className={classes.value}>{last === null ? copy.none : format(last)}</p>
      {known.length === 0 ? <small>{copy.rolling.needs}</small> : <SparkLine values={thin(values)} />}
    </div>
  )
}

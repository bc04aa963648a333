import type { PerformanceFigures, RunComparison } from '@binnacle/contract'
import { formatGain, formatQuantity } from '#format/money.ts'
import { formatWinRate } from '#format/percent.ts'
import { formatRatio, formatReturn, formatShare } from '#format/statistic.ts'
import { formatDateTime } from '#format/time.ts'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'

export interface RunPanelProps {
  /** The chosen run. */
  id: string
  comparison: RunComparison | null
}

const { runs: words } = copy
const COLUMNS = [
  { title: words.figure },
  { title: words.live, align: 'end' },
  { title: words.run, align: 'end' },
] as const

const ROWS: readonly [name: string, text: (figures: PerformanceFigures) => string][] = [
  [words.rows.return, ({ total_return: value }) => (value === null ? copy.none : formatReturn(value))],
  [words.rows.sharpe, ({ sharpe }) => formatRatio(sharpe)],
  [words.rows.sortino, ({ sortino }) => formatRatio(sortino)],
  [words.rows.drawdown, ({ max_drawdown: value }) => formatShare(value)],
  [words.rows.trades, ({ trades }) => formatQuantity(trades)],
  [words.rows.winRate, ({ win_rate: rate }) => (rate === null ? copy.none : formatWinRate(rate))],
  [words.rows.expectancy, ({ expectancy }) => (expectancy === null ? copy.none : formatGain(expectancy))],
]

/** PERF-12: both over the time that they have in common. */
export function RunPanel({ id, comparison }: RunPanelProps) {
  const title = words.title(copy.runName(id))
  if (comparison === null) {
    return (
      <Card title={title}>
        <p>{words.none}</p>
      </Card>
    )
  }
  const { from, to, live, run } = comparison
  return (
    <Card title={title} aside={words.scope(formatDateTime(from), formatDateTime(to))}>
      <Table label={title} columns={COLUMNS}>
        {ROWS.map(([name, text]) => (
          <tr key={name}>
            <Cell>{name}</Cell>
            <Cell align="end">{text(live)}</Cell>
            <Cell align="end">{text(run)}</Cell>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

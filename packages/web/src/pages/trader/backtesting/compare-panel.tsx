import type { Backtest } from '@binnacle/contract'
import { IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { formatMoney, formatQuantity } from '#format/money.ts'
import { formatWinRate } from '#format/percent.ts'
import { formatRatio, formatReturn, formatShare } from '#format/statistic.ts'
import { curveStyles } from '#ui/chart/curve-styles.ts'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import classes from './compare-panel.module.css'
import { copy } from './copy.ts'
import { MAX_COMPARED } from './run-address.ts'

const CurveChart = lazyPart(async () => (await import('#ui/chart/curve-chart.tsx')).CurveChart)

export interface ComparePanelProps {
  /** Completed ones, in the order in which they were ticked. */
  runs: readonly Backtest[]
  onRemove: (id: string) => void
}

/** BT-24 */
export function ComparePanel({ runs, onRemove }: ComparePanelProps) {
  const { compare } = copy
  const names = runs.map(({ id }) => copy.name(id)).join(', ')
  return (
    <Card
      title={
        <>
          {compare.title} <small className={classes.count}>{compare.count(runs.length, MAX_COMPARED)}</small>
        </>
      }
    >
      {runs.length === 0 ? (
        <p className={classes.hint}>{compare.hint}</p>
      ) : (
        <>
          <LazyBoundary fallback={<Loading text={copy.result.loading} bare />}>
            <ReturnCurves runs={runs} label={compare.sentence(names)} />
          </LazyBoundary>
          <CompareTable runs={runs} onRemove={onRemove} />
        </>
      )}
    </Card>
  )
}

function ReturnCurves({ runs, label }: { runs: readonly Backtest[]; label: string }) {
  const curves = useMemo(
    () =>
      runs.map(({ id, request, result }) => ({
        name: copy.name(id),
        points: (result?.equity_curve ?? []).map(({ at, equity }) => ({
          at: Date.parse(at) / 1000,
          value: equity / request.initial_cash - 1,
        })),
      })),
    [runs],
  )
  return <CurveChart label={label} curves={curves} base={0} format={formatReturn} size="small" />
}

const { columns } = copy.compare
const COLUMNS = [
  { title: columns.run },
  { title: columns.return, align: 'end' },
  { title: columns.sharpe, align: 'end' },
  { title: columns.drawdown, align: 'end' },
  { title: columns.winRate, align: 'end' },
  { title: columns.trades, align: 'end' },
  { title: columns.fees, align: 'end' },
] as const

function CompareTable({ runs, onRemove }: ComparePanelProps) {
  return (
    <Table label={copy.compare.title} columns={COLUMNS}>
      {runs.map(({ id, result }, index) => {
        if (!result) return null
        const { statistics: figures } = result
        return (
          <tr key={id}>
            <Cell>
              <Swatch index={index} />
              {copy.name(id)}
              <button
                type="button"
                className={classes.remove}
                aria-label={copy.compare.remove(copy.name(id))}
                onClick={() => onRemove(String(id))}
              >
                <IconX size={14} aria-hidden />
              </button>
            </Cell>
            <Cell align="end">
              <ToneText tone={toneOfGain(figures.total_return, true)}>
                {formatReturn(figures.total_return)}
              </ToneText>
            </Cell>
            <Cell align="end">{formatRatio(figures.sharpe)}</Cell>
            <Cell align="end">{formatShare(figures.max_drawdown)}</Cell>
            <Cell align="end">{figures.win_rate === null ? copy.none : formatWinRate(figures.win_rate)}</Cell>
            <Cell align="end">{formatQuantity(result.trades_total)}</Cell>
            <Cell align="end">{formatMoney(figures.fees)}</Cell>
          </tr>
        )
      })}
    </Table>
  )
}

/** The line of the run on the chart. */
function Swatch({ index }: { index: number }) {
  const { color, strokeDasharray } = curveStyles[index % curveStyles.length] ?? curveStyles[0]
  return (
    <svg className={classes.swatch} viewBox="0 0 18 4" aria-hidden>
      <line x1="0" x2="18" y1="2" y2="2" stroke={`var(--${color})`} strokeDasharray={strokeDasharray} />
    </svg>
  )
}

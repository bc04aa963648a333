import { type ClosedPosition, MANUAL_STRATEGY } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatDuration } from '#format/duration.ts'
import { formatFee } from '#format/money.ts'
import { formatNumber } from '#format/number.ts'
import { formatDateTime } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Gain } from '#ui/figure/gain.tsx'
import { Card } from '#ui/frame/card.tsx'
import { gainColumn, numberColumn, textColumn, timeColumn } from '#ui/list/columns.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import type { PhoneRow } from '#ui/list/phone-row.tsx'
import { copy } from './copy.ts'
import { chartOf } from './trade-chart.ts'
import classes from './trades-panel.module.css'

export interface TradesPanelProps {
  /** Latest first. */
  trades: readonly ClosedPosition[]
  /** All of the period. */
  total: number
  /** Undefined when all are shown. */
  onMore: (() => void) | undefined
  isLoading: boolean
}

/** PERF-23 */
export function TradesPanel({ trades, total, onMore, isLoading }: TradesPanelProps) {
  const { trades: words } = copy
  const phoneRow = useMemo(() => toPhoneRow, [])
  return (
    <Card title={words.title} aside={formatNumber(total)}>
      {trades.length === 0 ? (
        <p className={classes.none}>{words.none}</p>
      ) : (
        <div className={classes.list}>
          <DataTable
            label={words.title}
            columns={COLUMNS}
            rows={trades}
            rowKey={({ id, journal_seq: seq }) => `${id} ${seq}`}
            phoneRow={phoneRow}
          />
        </div>
      )}
      {onMore && (
        <Button onClick={onMore} busy={isLoading}>
          {words.more}
        </Button>
      )}
    </Card>
  )
}

const { columns } = copy.trades

const COLUMNS: readonly DataColumn<ClosedPosition>[] = [
  timeColumn(columns.closed, ({ closed_at: at }) => at),
  {
    title: columns.instrument,
    value: ({ instrument }) => instrument,
    cell: (trade) => <TextLink to={chartOf(trade)}>{trade.instrument}</TextLink>,
  },
  textColumn(columns.strategy, strategyOf),
  textColumn(columns.side, ({ side }) => side),
  numberColumn(columns.held, heldMs, formatDuration),
  numberColumn(columns.fees, ({ fees }) => fees, formatFee),
  { ...gainColumn<ClosedPosition>(columns.result, ({ result }) => result), pinned: true },
]

function toPhoneRow(trade: ClosedPosition): PhoneRow {
  return {
    title: <TextLink to={chartOf(trade)}>{trade.instrument}</TextLink>,
    id: trade.side,
    figure: <Gain amount={trade.result} />,
    detail: formatDateTime(trade.closed_at),
    status: strategyOf(trade),
    more: [
      `${columns.held} ${formatDuration(heldMs(trade))}`,
      `${columns.fees} ${formatFee(trade.fees)}`,
    ].join(' · '),
  }
}

function strategyOf({ strategy, strategy_name: name }: ClosedPosition): string {
  return strategy === MANUAL_STRATEGY ? copy.manual : (name ?? strategy)
}

function heldMs({ opened_at: opened, closed_at: closed }: ClosedPosition): number {
  return Date.parse(closed) - Date.parse(opened)
}

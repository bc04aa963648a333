import { type ClosedPosition, MANUAL_STRATEGY } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatDuration } from '#format/duration.ts'
import { formatFee, formatGain, roundToZero } from '#format/money.ts'
import { formatNumber } from '#format/number.ts'
import { formatDateTime } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Card } from '#ui/frame/card.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import type { PhoneRow } from '#ui/list/phone-row.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
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
  {
    title: columns.closed,
    value: ({ closed_at: at }) => at,
    cell: ({ closed_at: at }) => formatDateTime(at),
  },
  {
    title: columns.instrument,
    value: ({ instrument }) => instrument,
    cell: (trade) => <TextLink to={chartOf(trade)}>{trade.instrument}</TextLink>,
  },
  { title: columns.strategy, value: strategyOf, cell: strategyOf },
  { title: columns.side, value: ({ side }) => side, cell: ({ side }) => side },
  { title: columns.held, align: 'end', value: heldMs, cell: (trade) => formatDuration(heldMs(trade)) },
  { title: columns.fees, align: 'end', value: ({ fees }) => fees, cell: ({ fees }) => formatFee(fees) },
  {
    title: columns.result,
    align: 'end',
    pinned: true,
    value: ({ result }) => result,
    cell: ({ result }) => <Result amount={result} />,
  },
]

function toPhoneRow(trade: ClosedPosition): PhoneRow {
  return {
    title: <TextLink to={chartOf(trade)}>{trade.instrument}</TextLink>,
    id: trade.side,
    figure: <Result amount={trade.result} />,
    detail: formatDateTime(trade.closed_at),
    status: strategyOf(trade),
    more: [
      `${columns.held} ${formatDuration(heldMs(trade))}`,
      `${columns.fees} ${formatFee(trade.fees)}`,
    ].join(' · '),
  }
}

function Result({ amount }: { amount: number }) {
  const shown = roundToZero(amount)
  return <ToneText tone={toneOfGain(shown, true)}>{formatGain(shown)}</ToneText>
}

function strategyOf({ strategy, strategy_name: name }: ClosedPosition): string {
  return strategy === MANUAL_STRATEGY ? copy.manual : (name ?? strategy)
}

function heldMs({ opened_at: opened, closed_at: closed }: ClosedPosition): number {
  return Date.parse(closed) - Date.parse(opened)
}

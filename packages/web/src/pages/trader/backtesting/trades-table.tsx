import type { BacktestTrade } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatAveragePrice, formatFee, formatGain, formatQuantity, roundToZero } from '#format/money.ts'
import { formatDateTime } from '#format/time.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Gain } from '#ui/figure/gain.tsx'
import { gainColumn, numberColumn, textColumn, timeColumn } from '#ui/list/columns.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import type { PhoneRow } from '#ui/list/phone-row.tsx'
import { copy } from './copy.ts'

export interface TradesTableProps {
  /** Oldest first. */
  trades: readonly BacktestTrade[]
  interval: string
}

interface NumberedTrade extends BacktestTrade {
  key: number
}

/** BT-23 */
export function TradesTable({ trades, interval }: TradesTableProps) {
  const rows = useMemo(() => trades.map((trade, key) => ({ ...trade, key })).toReversed(), [trades])
  const columns = useMemo(() => columnsFor(interval), [interval])
  const phoneRow = useMemo(() => phoneRowFor(interval), [interval])
  return (
    <DataTable
      label={copy.trades.title}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      phoneRow={phoneRow}
    />
  )
}

function columnsFor(interval: string): readonly DataColumn<NumberedTrade>[] {
  const { columns } = copy.trades
  return [
    {
      title: columns.instrument,
      value: ({ instrument }) => instrument,
      cell: ({ instrument }) => <TextLink to={chartOf(instrument, interval)}>{instrument}</TextLink>,
    },
    textColumn(columns.side, ({ side }) => side),
    // BT-102: before what is cut where the table is wider than its place.
    gainColumn(columns.pnl, ({ pnl }) => pnl),
    timeColumn(columns.opened, ({ opened_at: at }) => at),
    timeColumn(columns.closed, ({ closed_at: at }) => at),
    numberColumn(columns.quantity, ({ quantity }) => quantity, formatQuantity),
    numberColumn(columns.entry, ({ entry_price: price }) => price, formatAveragePrice),
    numberColumn(columns.exit, ({ exit_price: price }) => price, formatAveragePrice),
    numberColumn(columns.fees, ({ fees }) => fees, formatFee),
    gainColumn(columns.funding, ({ funding }) => funding),
  ]
}

function phoneRowFor(interval: string) {
  const { columns } = copy.trades
  return (trade: NumberedTrade): PhoneRow => ({
    title: <TextLink to={chartOf(trade.instrument, interval)}>{trade.instrument}</TextLink>,
    id: trade.side,
    figure: <Gain amount={trade.pnl} />,
    detail: `${formatDateTime(trade.opened_at)} – ${formatDateTime(trade.closed_at)}`,
    status: formatQuantity(trade.quantity),
    more: [
      `${columns.entry} ${formatAveragePrice(trade.entry_price)}`,
      `${columns.exit} ${formatAveragePrice(trade.exit_price)}`,
      `${columns.fees} ${formatFee(trade.fees)}`,
      `${columns.funding} ${formatGain(roundToZero(trade.funding))}`,
    ].join(' · '),
  })
}

function chartOf(instrument: string, interval: string): string {
  return `${paths.marketData}?${new URLSearchParams({ instrument, interval })}`
}

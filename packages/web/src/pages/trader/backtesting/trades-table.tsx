import type { BacktestTrade } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatAveragePrice, formatFee, formatGain, formatQuantity } from '#format/money.ts'
import { formatDateTime } from '#format/time.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import type { PhoneRow } from '#ui/list/phone-row.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
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
    { title: columns.side, value: ({ side }) => side, cell: ({ side }) => side },
    // BT-102: before what is cut where the table is wider than its place.
    { title: columns.pnl, align: 'end', value: ({ pnl }) => pnl, cell: ({ pnl }) => <Gain amount={pnl} /> },
    {
      title: columns.opened,
      value: ({ opened_at: at }) => at,
      cell: ({ opened_at: at }) => formatDateTime(at),
    },
    {
      title: columns.closed,
      value: ({ closed_at: at }) => at,
      cell: ({ closed_at: at }) => formatDateTime(at),
    },
    {
      title: columns.quantity,
      align: 'end',
      value: ({ quantity }) => quantity,
      cell: ({ quantity }) => formatQuantity(quantity),
    },
    {
      title: columns.entry,
      align: 'end',
      value: ({ entry_price: price }) => price,
      cell: ({ entry_price: price }) => formatAveragePrice(price),
    },
    {
      title: columns.exit,
      align: 'end',
      value: ({ exit_price: price }) => price,
      cell: ({ exit_price: price }) => formatAveragePrice(price),
    },
    { title: columns.fees, align: 'end', value: ({ fees }) => fees, cell: ({ fees }) => formatFee(fees) },
    {
      title: columns.funding,
      align: 'end',
      value: ({ funding }) => funding,
      cell: ({ funding }) => formatGain(funding),
    },
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
      `${columns.funding} ${formatGain(trade.funding)}`,
    ].join(' · '),
  })
}

function Gain({ amount }: { amount: number }) {
  return <ToneText tone={toneOfGain(amount, true)}>{formatGain(amount)}</ToneText>
}

function chartOf(instrument: string, interval: string): string {
  return `${paths.marketData}?${new URLSearchParams({ instrument, interval })}`
}

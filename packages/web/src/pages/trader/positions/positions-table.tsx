import type { Position } from '@binnacle/contract'
import { useMemo } from 'react'
import {
  formatAveragePrice,
  formatGain,
  formatPrice,
  formatQuantity,
  formatTickPrice,
  roundToZero,
} from '#format/money.ts'
import { Button } from '#ui/control/button.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Card } from '#ui/frame/card.tsx'
import { ClippedText } from '#ui/list/clipped-text.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { holderOf } from './position-summary.ts'
import classes from './positions-table.module.css'

export interface PositionsTableProps {
  positions: readonly Position[]
  /** Positions whose close is pending. */
  busyIds: ReadonlySet<string>
  /** Tick sizes by instrument; empty in the baseline. */
  ticks: ReadonlyMap<string, number>
  isLive: boolean
  onClose: (position: Position) => void
}

export function PositionsTable({ positions, busyIds, ticks, isLive, onClose }: PositionsTableProps) {
  const hasHolder = positions.some((position) => holderOf(position) !== undefined)
  const columns = useMemo(
    () => [
      ...figureColumns(ticks, isLive),
      ...(hasHolder ? [holderColumn] : []),
      actionColumn(busyIds, onClose),
    ],
    [ticks, isLive, hasHolder, busyIds, onClose],
  )
  return (
    <Card>
      <div className={classes.list}>
        <DataTable label={copy.title} columns={columns} rows={positions} rowKey={({ id }) => id} />
      </div>
    </Card>
  )
}

/** POS-4: columns in the specified order; on a phone the most important come first. */
const figureColumns = (ticks: ReadonlyMap<string, number>, isLive: boolean): DataColumn<Position>[] => [
  {
    title: copy.columns.id,
    mono: true,
    onPhone: '3 / 3',
    titleOnPhone: '1 / 2',
    value: ({ id }) => id,
    cell: ({ id }) => id,
  },
  {
    title: copy.columns.instrument,
    onPhone: '1 / 1 / 2 / 3',
    titleOnPhone: '1 / 1',
    value: ({ instrument }) => instrument,
    cell: ({ instrument }) => instrument,
  },
  { title: copy.columns.side, onPhone: '1 / 3', value: ({ side }) => side, cell: ({ side }) => side },
  { ...numberColumn(copy.columns.quantity, ({ quantity }) => quantity, formatQuantity), onPhone: '2 / 3' },
  {
    ...priceColumn(copy.columns.entryPrice, (held) => held.entry_price, formatAveragePrice, ticks),
    onPhone: '3 / 1',
  },
  {
    ...priceColumn(copy.columns.currentPrice, (held) => held.current_price, formatPrice, ticks),
    onPhone: '3 / 2',
  },
  {
    ...gainColumn(copy.columns.unrealized, ({ unrealized_pnl }) => unrealized_pnl, isLive),
    onPhone: '2 / 1',
  },
  { ...gainColumn(copy.columns.realized, ({ realized_pnl }) => realized_pnl, isLive), onPhone: '2 / 2' },
]

/** POS-10: only if the backend sends the strategy of a position. */
const holderColumn: DataColumn<Position> = {
  title: copy.columns.strategy,
  onPhone: '4 / 1 / 5 / 4',
  titleOnPhone: '1 / 4',
  value: holderOf,
  cell: (position) => <ClippedText text={holderOf(position)} />,
}

function numberColumn(
  title: string,
  value: (position: Position) => number,
  format: (amount: number) => string,
): DataColumn<Position> {
  return { title, align: 'end', value, cell: (position) => format(value(position)) }
}

/** POS-13: by the instrument's tick if it is known. */
function priceColumn(
  title: string,
  value: (position: Position) => number,
  format: (price: number) => string,
  ticks: ReadonlyMap<string, number>,
): DataColumn<Position> {
  const cell = (position: Position) => {
    const tick = ticks.get(position.instrument)
    return tick === undefined ? format(value(position)) : formatTickPrice(value(position), tick)
  }
  return { title, align: 'end', value, cell }
}

function gainColumn(
  title: string,
  value: (position: Position) => number,
  isLive: boolean,
): DataColumn<Position> {
  const gainOf = (position: Position) => (isLive ? roundToZero(value(position)) : value(position))
  const text = (position: Position) => formatGain(gainOf(position))
  const cell = (position: Position) => (
    <ToneText tone={toneOfGain(gainOf(position), isLive)}>{text(position)}</ToneText>
  )
  return { title, align: 'end', value, text, cell }
}

function actionColumn(
  busyIds: ReadonlySet<string>,
  onClose: (position: Position) => void,
): DataColumn<Position> {
  return {
    title: copy.columns.actions,
    onPhone: '1 / 4 / 4',
    titleOnPhone: '2 / 4',
    pinned: true,
    cell: (position) => (
      <Button kind="danger" busy={busyIds.has(String(position.id))} onClick={() => onClose(position)}>
        {copy.close}
      </Button>
    ),
  }
}

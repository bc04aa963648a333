import type { Id, Position } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatAveragePrice, formatGain, formatPrice, formatQuantity } from '#format/money.ts'
import { Button } from '#ui/control/button.tsx'
import { Toned } from '#ui/figure/toned.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Clipped } from '#ui/list/clipped.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { holderOf } from './position-summary.ts'
import classes from './positions-table.module.css'

export interface PositionsTableProps {
  positions: readonly Position[]
  /** Being closed: their button takes no second click. */
  busyIds: ReadonlySet<Id>
  onClose: (position: Position) => void
}

export function PositionsTable({ positions, busyIds, onClose }: PositionsTableProps) {
  const isHolderTold = positions.some((position) => holderOf(position) !== undefined)
  const columns = useMemo(
    () => [...figureColumns, ...(isHolderTold ? [holderColumn] : []), actionColumn(busyIds, onClose)],
    [isHolderTold, busyIds, onClose],
  )
  return (
    <Card>
      <div className={classes.list}>
        <DataTable label={copy.title} columns={columns} rows={positions} rowKey={({ id }) => id} />
      </div>
    </Card>
  )
}

/** POS-4: the order of the columns is the specification's; on a phone what matters most stands first. */
const figureColumns: readonly DataColumn<Position>[] = [
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
    ...numberColumn(copy.columns.entryPrice, (held) => held.entry_price, formatAveragePrice),
    onPhone: '3 / 1',
  },
  { ...numberColumn(copy.columns.currentPrice, (held) => held.current_price, formatPrice), onPhone: '3 / 2' },
  { ...gainColumn(copy.columns.unrealized, ({ unrealized_pnl }) => unrealized_pnl), onPhone: '2 / 1' },
  { ...gainColumn(copy.columns.realized, ({ realized_pnl }) => realized_pnl), onPhone: '2 / 2' },
]

/** Beyond the specification, so only where the backend tells whose a position is. */
const holderColumn: DataColumn<Position> = {
  title: copy.columns.strategy,
  onPhone: '4 / 1 / 5 / 4',
  titleOnPhone: '1 / 4',
  value: holderOf,
  cell: (position) => <Clipped text={holderOf(position)} />,
}

function numberColumn(
  title: string,
  value: (position: Position) => number,
  format: (amount: number) => string,
): DataColumn<Position> {
  return { title, align: 'end', value, cell: (position) => format(value(position)) }
}

function gainColumn(title: string, value: (position: Position) => number): DataColumn<Position> {
  const cell = (position: Position) => (
    <Toned tone={toneOfGain(value(position))}>{formatGain(value(position))}</Toned>
  )
  return { title, align: 'end', value, cell }
}

function actionColumn(busyIds: ReadonlySet<Id>, onClose: (position: Position) => void): DataColumn<Position> {
  return {
    title: copy.columns.actions,
    onPhone: '1 / 4 / 4',
    titleOnPhone: '2 / 4',
    pinned: true,
    cell: (position) => (
      <Button kind="danger" busy={busyIds.has(position.id)} onClick={() => onClose(position)}>
        {copy.close}
      </Button>
    ),
  }
}

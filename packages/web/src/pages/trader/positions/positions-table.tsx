import type { Position } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatAveragePrice, formatPrice, formatPriceAtTick, formatQuantity } from '#format/money.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { ClippedText } from '#ui/list/clipped-text.tsx'
import { gainColumn, numberColumn, textColumn } from '#ui/list/columns.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import type { PhoneRow } from '#ui/list/phone-row.tsx'
import { ExitsButton } from '#ui/order/exits-button.tsx'
import { copy } from './copy.ts'
import type { PositionActions } from './position-actions.tsx'
import { holderOf } from './position-summary.ts'
import classes from './positions-table.module.css'

export interface PositionsTableProps {
  positions: readonly Position[]
  actions: Pick<PositionActions, 'busyIds' | 'onClose' | 'onClosePart' | 'onExits'>
  /** Tick sizes by instrument; empty in the baseline. */
  ticks: ReadonlyMap<string, number>
  isLive: boolean
}

export function PositionsTable({ positions, actions, ticks, isLive }: PositionsTableProps) {
  const { busyIds, onClose, onClosePart, onExits } = actions
  const hasHolder = positions.some((position) => holderOf(position) !== undefined)
  const { columns, phoneRow } = useMemo(() => {
    const figures = figureColumns(ticks, isLive)
    const action = actionColumn({ busyIds, onClose, onClosePart })
    const exits = onExits && exitsCell(onExits, ticks)
    return {
      // POS-4: in the specified order.
      columns: [
        ...Object.values(figures),
        ...(exits ? [exitsColumn(exits)] : []),
        ...(hasHolder ? [holderColumn] : []),
        action,
      ],
      phoneRow: (position: Position) => phoneRowOf(position, figures, { exits, action }),
    }
  }, [ticks, isLive, hasHolder, busyIds, onClose, onClosePart, onExits])
  return (
    <Card>
      <DataTable
        label={copy.title}
        columns={columns}
        phoneRow={phoneRow}
        rows={positions}
        rowKey={({ id }) => id}
      />
    </Card>
  )
}

type Column = DataColumn<Position>
type FigureColumns = Readonly<
  Record<'id' | 'instrument' | 'side' | 'quantity' | 'entry' | 'current' | 'unrealized' | 'realized', Column>
>

const figureColumns = (ticks: ReadonlyMap<string, number>, isLive: boolean): FigureColumns => ({
  id: { ...textColumn(copy.columns.id, ({ id }) => String(id)), mono: true },
  instrument: textColumn(copy.columns.instrument, ({ instrument }) => instrument),
  side: textColumn(copy.columns.side, ({ side }) => side),
  quantity: numberColumn(copy.columns.quantity, ({ quantity }) => quantity, formatQuantity),
  entry: priceColumn(copy.columns.entryPrice, (held) => held.entry_price, formatAveragePrice, ticks),
  current: priceColumn(copy.columns.currentPrice, (held) => held.current_price, formatPrice, ticks),
  unrealized: gainColumn(copy.columns.unrealized, (held) => held.unrealized_pnl, isLive),
  realized: gainColumn(copy.columns.realized, (held) => held.realized_pnl, isLive),
})

/** SHELL-17: every value of the columns, in words where it has no title. */
function phoneRowOf(
  position: Position,
  figures: FigureColumns,
  { exits, action }: { exits: ReturnType<typeof exitsCell> | undefined; action: Column },
): PhoneRow {
  const { id, instrument, side } = position
  return {
    title: instrument,
    id,
    figure: (
      <>
        {copy.phone.unrealized} {figures.unrealized.cell(position)}
      </>
    ),
    detail: (
      <>
        {side} {figures.quantity.cell(position)} {copy.phone.at} {figures.entry.cell(position)} ·{' '}
        {copy.phone.now} {figures.current.cell(position)}
      </>
    ),
    status: (
      <>
        {copy.phone.realized} {figures.realized.cell(position)}
      </>
    ),
    more: holderOf(position),
    actions: (
      <>
        {exits?.(position, true)}
        {action.cell(position)}
      </>
    ),
  }
}

/** POS-10: only if the backend sends the strategy of a position. */
const holderColumn: Column = {
  title: copy.columns.strategy,
  hideOrder: 1,
  value: holderOf,
  cell: (position) => <ClippedText text={holderOf(position)} />,
}

/** POS-13: by the instrument's tick if it is known. */
function priceColumn(
  title: string,
  value: (position: Position) => number,
  format: (price: number) => string,
  ticks: ReadonlyMap<string, number>,
): Column {
  const cell = (position: Position) =>
    formatPriceAtTick(value(position), ticks.get(position.instrument), format)
  return { title, align: 'end', value, cell }
}

/** POS-27: only if the backend offers exit prices. */
function exitsCell(onExits: (position: Position) => void, ticks: ReadonlyMap<string, number>) {
  return (position: Position, isNamed: boolean) => (
    <ExitsButton
      position={position}
      format={(price) => formatPriceAtTick(price, ticks.get(position.instrument))}
      isNamed={isNamed}
      onOpen={() => onExits(position)}
    />
  )
}

function exitsColumn(cell: ReturnType<typeof exitsCell>): Column {
  return { title: copy.columns.exits, align: 'end', cell: (position) => cell(position, false) }
}

type RowActions = Pick<PositionsTableProps['actions'], 'busyIds' | 'onClose' | 'onClosePart'>

function actionColumn({ busyIds, onClose, onClosePart }: RowActions): Column {
  return {
    title: copy.columns.actions,
    pinned: true,
    cell: (position) => (
      <span className={classes.actions}>
        {onClosePart && <Button onClick={() => onClosePart(position)}>{copy.closePart}</Button>}
        <Button kind="danger" busy={busyIds.has(String(position.id))} onClick={() => onClose(position)}>
          {copy.close}
        </Button>
      </span>
    ),
  }
}

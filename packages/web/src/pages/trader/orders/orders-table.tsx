import { MANUAL_STRATEGY, type Order } from '@binnacle/contract'
import { type ReactNode, useMemo } from 'react'
import { formatQuantity } from '#format/money.ts'
import { formatOwner } from '#format/owner.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Card } from '#ui/frame/card.tsx'
import { ClippedText } from '#ui/list/clipped-text.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import type { PhoneRow } from '#ui/list/phone-row.tsx'
import { copy } from './copy.ts'
import { canCancel, priceText, rowReason, toneOfSide, toneOfStatus } from './order-status.ts'
import classes from './orders-table.module.css'

export interface OrdersTableProps {
  orders: readonly Order[]
  /** By strategy id. */
  strategyNames: ReadonlyMap<string, string>
  /** There are more orders on other pages. */
  isPage: boolean
  /** Orders whose cancel is pending. */
  busyIds: ReadonlySet<string>
  onCancel: (order: Order) => void
}

export function OrdersTable({ orders, strategyNames, isPage, busyIds, onCancel }: OrdersTableProps) {
  const hasOwner = orders.some(({ strategy }) => strategy !== undefined)
  const { columns, phoneRow } = useMemo(() => {
    const ownerOf = (order: Order) => describeOwner(order, strategyNames)
    const action = (order: Order) => <CancelButton order={order} busyIds={busyIds} onCancel={onCancel} />
    const ownerColumns = hasOwner ? [ownerColumn(ownerOf)] : []
    return {
      columns: [...figureColumns, ...ownerColumns, actionColumn(action)],
      phoneRow: (order: Order) => phoneRowOf(order, ownerOf(order), canCancel(order) && action(order)),
    }
  }, [hasOwner, strategyNames, busyIds, onCancel])
  return (
    <Card>
      <DataTable
        label={copy.title}
        columns={columns}
        phoneRow={phoneRow}
        rows={orders}
        rowKey={({ id }) => id}
        isPage={isPage}
      />
    </Card>
  )
}

/** ORD-3: columns in the specified order. */
const figureColumns: readonly DataColumn<Order>[] = [
  {
    title: copy.columns.id,
    mono: true,
    value: ({ id }) => id,
    cell: ({ id }) => id,
  },
  {
    title: copy.columns.instrument,
    value: ({ instrument }) => instrument,
    cell: ({ instrument }) => instrument,
  },
  {
    title: copy.columns.side,
    value: ({ side }) => side,
    cell: ({ side }) => <ToneText tone={toneOfSide(side)}>{side}</ToneText>,
  },
  {
    title: copy.columns.type,
    value: ({ type }) => type,
    cell: ({ type }) => type,
  },
  {
    title: copy.columns.quantity,
    align: 'end',
    value: ({ quantity }) => quantity,
    cell: ({ quantity }) => formatQuantity(quantity),
  },
  {
    title: copy.columns.price,
    align: 'end',
    value: ({ price, average_price }) => price ?? average_price,
    cell: priceText,
  },
  {
    title: copy.columns.filled,
    align: 'end',
    value: ({ filled_qty }) => filled_qty,
    cell: ({ filled_qty }) => formatQuantity(filled_qty),
  },
  {
    title: copy.columns.status,
    value: ({ status }) => status,
    cell: (order) => <Status order={order} />,
  },
]

/** ORD-19: only if the backend sends the strategy of an order. */
function ownerColumn(ownerOf: (order: Order) => string | undefined): DataColumn<Order> {
  return {
    title: copy.columns.strategy,
    value: ownerOf,
    cell: (order) => <ClippedText text={ownerOf(order)} />,
  }
}

function describeOwner({ strategy }: Order, names: ReadonlyMap<string, string>): string | undefined {
  return strategy && formatOwner(strategy === MANUAL_STRATEGY, names.get(strategy) ?? strategy)
}

function actionColumn(action: (order: Order) => ReactNode): DataColumn<Order> {
  return {
    title: copy.columns.actions,
    pinned: true,
    cell: (order) => canCancel(order) && action(order),
  }
}

interface CancelButtonProps extends Pick<OrdersTableProps, 'busyIds' | 'onCancel'> {
  order: Order
}

function CancelButton({ order, busyIds, onCancel }: CancelButtonProps) {
  return (
    <Button busy={busyIds.has(String(order.id))} onClick={() => onCancel(order)}>
      {copy.cancel}
    </Button>
  )
}

function Status({ order }: { order: Order }) {
  const reason = rowReason(order)
  return (
    <span className={classes.status}>
      <Badge tone={toneOfStatus(order.status)}>{order.status}</Badge>
      {reason !== undefined && <span className={classes.reason}>{reason}</span>}
    </span>
  )
}

/** SHELL-17: every value of the columns, in words where it has no title. */
function phoneRowOf(order: Order, owner: string | undefined, actions: ReactNode): PhoneRow {
  const { id, instrument, side, type, quantity, filled_qty: filled, status } = order
  return {
    title: instrument,
    id,
    figure: priceText(order),
    detail: (
      <>
        <ToneText tone={toneOfSide(side)}>{side}</ToneText> {type} ·{' '}
        {copy.filledOf(formatQuantity(filled), formatQuantity(quantity))}
      </>
    ),
    status: <Badge tone={toneOfStatus(status)}>{status}</Badge>,
    more: owner,
    note: rowReason(order),
    actions,
  }
}

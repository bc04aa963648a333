import type { Id, Order } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatPrice, formatQuantity } from '#format/money.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Toned } from '#ui/figure/toned.tsx'
import { Card } from '#ui/frame/card.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import { copy } from './copy.ts'
import { canCancel, shownReason, toneOfSide, toneOfStatus } from './order-status.ts'
import classes from './orders-table.module.css'

export interface OrdersTableProps {
  orders: readonly Order[]
  /** Being cancelled: their button takes no second click. */
  busyIds: ReadonlySet<Id>
  onCancel: (order: Order) => void
}

export function OrdersTable({ orders, busyIds, onCancel }: OrdersTableProps) {
  const columns = useMemo(() => [...figureColumns, actionColumn(busyIds, onCancel)], [busyIds, onCancel])
  return (
    <Card>
      <DataTable label={copy.title} columns={columns} rows={orders} rowKey={({ id }) => id} />
    </Card>
  )
}

/** ORD-3: the order of the columns is the specification's. */
const figureColumns: readonly DataColumn<Order>[] = [
  { title: copy.columns.id, mono: true, value: ({ id }) => id, cell: ({ id }) => id },
  {
    title: copy.columns.instrument,
    value: ({ instrument }) => instrument,
    cell: ({ instrument }) => instrument,
  },
  {
    title: copy.columns.side,
    value: ({ side }) => side,
    cell: ({ side }) => <Toned tone={toneOfSide(side)}>{side}</Toned>,
  },
  { title: copy.columns.type, value: ({ type }) => type, cell: ({ type }) => type },
  {
    title: copy.columns.quantity,
    align: 'end',
    value: ({ quantity }) => quantity,
    cell: ({ quantity }) => formatQuantity(quantity),
  },
  {
    title: copy.columns.price,
    align: 'end',
    value: ({ price }) => price,
    cell: ({ price }) => (typeof price === 'number' ? formatPrice(price) : copy.noPrice),
  },
  {
    title: copy.columns.filled,
    align: 'end',
    value: ({ filled_qty }) => filled_qty,
    cell: ({ filled_qty }) => formatQuantity(filled_qty),
  },
  { title: copy.columns.status, value: ({ status }) => status, cell: (order) => <Status order={order} /> },
]

function actionColumn(busyIds: ReadonlySet<Id>, onCancel: (order: Order) => void): DataColumn<Order> {
  return {
    title: copy.columns.actions,
    pinned: true,
    cell: (order) =>
      canCancel(order) && (
        <Button busy={busyIds.has(order.id)} onClick={() => onCancel(order)}>
          {copy.cancel}
        </Button>
      ),
  }
}

function Status({ order }: { order: Order }) {
  const reason = shownReason(order)
  return (
    <span className={classes.status}>
      <Badge tone={toneOfStatus(order.status)}>{order.status}</Badge>
      {reason !== undefined && <span className={classes.reason}>{reason}</span>}
    </span>
  )
}

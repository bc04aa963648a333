import { MANUAL_STRATEGY, type Order } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatQuantity } from '#format/money.ts'
import { formatOwner } from '#format/owner.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Card } from '#ui/frame/card.tsx'
import { ClippedText } from '#ui/list/clipped-text.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
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
  const columns = useMemo(() => {
    const ownerColumns = hasOwner ? [ownerColumn(strategyNames)] : []
    return [...figureColumns, ...ownerColumns, actionColumn(busyIds, onCancel)]
  }, [hasOwner, strategyNames, busyIds, onCancel])
  return (
    <Card>
      <div className={classes.list}>
        <DataTable
          label={copy.title}
          columns={columns}
          rows={orders}
          rowKey={({ id }) => id}
          isPage={isPage}
        />
      </div>
    </Card>
  )
}

/** ORD-3: columns in the specified order; on a phone the most important come first. */
const figureColumns: readonly DataColumn<Order>[] = [
  {
    title: copy.columns.id,
    mono: true,
    onPhone: '3 / 1',
    isSelfExplanatory: true,
    value: ({ id }) => id,
    cell: ({ id }) => id,
  },
  {
    title: copy.columns.instrument,
    onPhone: '1 / 1 / 2 / 3',
    isSelfExplanatory: true,
    value: ({ instrument }) => instrument,
    cell: ({ instrument }) => instrument,
  },
  {
    title: copy.columns.side,
    onPhone: '1 / 3',
    isSelfExplanatory: true,
    value: ({ side }) => side,
    cell: ({ side }) => <ToneText tone={toneOfSide(side)}>{side}</ToneText>,
  },
  {
    title: copy.columns.type,
    onPhone: '3 / 2',
    isSelfExplanatory: true,
    value: ({ type }) => type,
    cell: ({ type }) => type,
  },
  {
    title: copy.columns.quantity,
    onPhone: '2 / 1',
    align: 'end',
    value: ({ quantity }) => quantity,
    cell: ({ quantity }) => formatQuantity(quantity),
  },
  {
    title: copy.columns.price,
    onPhone: '2 / 2',
    align: 'end',
    value: ({ price, average_price }) => price ?? average_price,
    cell: priceText,
  },
  {
    title: copy.columns.filled,
    onPhone: '2 / 3',
    align: 'end',
    value: ({ filled_qty }) => filled_qty,
    cell: ({ filled_qty }) => formatQuantity(filled_qty),
  },
  {
    title: copy.columns.status,
    onPhone: '1 / 4',
    isSelfExplanatory: true,
    value: ({ status }) => status,
    cell: (order) => <Status order={order} />,
  },
]

/** ORD-19: only if the backend sends the strategy of an order. */
function ownerColumn(names: ReadonlyMap<string, string>): DataColumn<Order> {
  const owner = ({ strategy = '' }: Order) =>
    formatOwner(strategy === MANUAL_STRATEGY, names.get(strategy) ?? strategy)
  return {
    title: copy.columns.strategy,
    onPhone: '4 / 1 / 5 / 4',
    isSelfExplanatory: true,
    value: owner,
    cell: (order) => <ClippedText text={owner(order)} />,
  }
}

function actionColumn(busyIds: ReadonlySet<string>, onCancel: (order: Order) => void): DataColumn<Order> {
  return {
    title: copy.columns.actions,
    onPhone: '2 / 4 / 4',
    pinned: true,
    cell: (order) =>
      canCancel(order) && (
        <Button busy={busyIds.has(String(order.id))} onClick={() => onCancel(order)}>
          {copy.cancel}
        </Button>
      ),
  }
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

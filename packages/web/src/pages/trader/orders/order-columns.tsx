import { MANUAL_STRATEGY, type Order } from '@binnacle/contract'
import type { ReactNode } from 'react'
import { formatQuantity } from '#format/money.ts'
import { formatOwner } from '#format/owner.ts'
import { formatDateTime } from '#format/time.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { ClippedText } from '#ui/list/clipped-text.tsx'
import type { DataColumn } from '#ui/list/data-table.tsx'
import { copy } from './copy.ts'
import classes from './order-columns.module.css'
import { feeText, fillPriceText, priceText, rowReason, toneOfSide, toneOfStatus } from './order-status.ts'

export interface OrderColumnsOptions {
  /** The optional fields that the backend sends. */
  sentFields: readonly string[]
  /** Tick sizes by instrument. */
  ticks: ReadonlyMap<string, number>
  /** By strategy id. */
  strategyNames: ReadonlyMap<string, string>
  action: (order: Order) => ReactNode
  /** The address that opens an order's drawer; undefined where the backend does not offer it. */
  detailAddress: ((order: Order) => string) | undefined
}

export function orderColumns(options: OrderColumnsOptions): readonly DataColumn<Order>[] {
  const optional = Object.entries(optionalColumns(options)).filter(([field]) =>
    options.sentFields.includes(field),
  )
  return [
    ...specifiedColumns(options),
    ...optional.map(([, column]) => column),
    { title: copy.columns.actions, pinned: true, cell: options.action },
  ]
}

/** ORD-3: columns in the specified order. */
const specifiedColumns = ({ ticks, detailAddress }: OrderColumnsOptions): DataColumn<Order>[] => [
  {
    title: copy.columns.id,
    mono: true,
    value: ({ id }) => id,
    cell: (order) =>
      detailAddress ? <TextLink to={detailAddress(order)}>{String(order.id)}</TextLink> : order.id,
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
    // FEAT-22
    cell: ({ type, account }) => (account === 'paper' ? <Badge tone="info">{copy.paper(type)}</Badge> : type),
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
    value: ({ price }) => price,
    cell: (order) => priceText(order, ticks.get(order.instrument)),
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

/** ORD-18, ORD-19, ORD-50: by the field that the backend sends. */
function optionalColumns(options: OrderColumnsOptions): Record<string, DataColumn<Order>> {
  return {
    average_price: {
      title: copy.columns.fillPrice,
      hideOrder: 4,
      align: 'end',
      value: (order) => order.average_price,
      cell: (order) => fillPriceText(order, options.ticks.get(order.instrument)),
    },
    fees: { title: copy.columns.fee, align: 'end', hideOrder: 2, value: ({ fees }) => fees, cell: feeText },
    created_at: {
      title: copy.columns.time,
      hideOrder: 3,
      value: (order) => order.created_at,
      cell: ({ created_at: at }) => at && formatDateTime(at),
    },
    strategy: {
      title: copy.columns.strategy,
      hideOrder: 1,
      value: (order) => ownerOf(order, options),
      cell: (order) => <ClippedText text={ownerOf(order, options)} />,
    },
  }
}

/** ORD-19 */
export function ownerOf(
  { strategy, strategy_name: name }: Order,
  { strategyNames }: Pick<OrderColumnsOptions, 'strategyNames'>,
): string | undefined {
  if (!strategy) return undefined
  return formatOwner(strategy === MANUAL_STRATEGY, name ?? strategyNames.get(strategy) ?? strategy)
}

/** A row with a reason is higher. */
export function orderRowClass(order: Order): string | undefined {
  return rowReason(order) === undefined ? undefined : classes.withReason
}

function Status({ order }: { order: Order }) {
  const reason = rowReason(order)
  return (
    <>
      <Badge tone={toneOfStatus(order.status)}>{order.status}</Badge>
      {reason !== undefined && (
        <span className={classes.reason} title={reason}>
          <ToneText tone={toneOfStatus(order.status)}>{reason}</ToneText>
        </span>
      )}
    </>
  )
}

import type { Order } from '@binnacle/contract'
import { useMemo } from 'react'
import { formatQuantity } from '#format/money.ts'
import { formatInstant } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Card } from '#ui/frame/card.tsx'
import { DataTable } from '#ui/list/data-table.tsx'
import type { PhoneRow } from '#ui/list/phone-row.tsx'
import { canCancel, canModify } from '#ui/order/order-rules.ts'
import { copy } from './copy.ts'
import type { OrderActions } from './order-actions.tsx'
import classes from './order-columns.module.css'
import { type OrderColumnsOptions, orderColumns, orderRowClass, ownerOf } from './order-columns.tsx'
import { feeText, fillPriceText, priceText, rowReason, toneOfSide, toneOfStatus } from './order-status.ts'

export interface OrdersTableProps {
  orders: readonly Order[]
  /** By strategy id. */
  strategyNames: ReadonlyMap<string, string>
  /** Tick sizes by instrument; empty in the baseline. */
  ticks: ReadonlyMap<string, number>
  /** There are more orders on other pages. */
  isPartial: boolean
  actions: Pick<OrderActions, 'busyIds' | 'onCancel' | 'onModify'>
  /** Must be memoised; undefined where the backend does not offer details. */
  detailAddress: ((order: Order) => string) | undefined
}

export function OrdersTable(props: OrdersTableProps) {
  const { orders, strategyNames, ticks, isPartial, actions, detailAddress } = props
  const { busyIds, onCancel, onModify } = actions
  // As text, since the columns must stay the same while polled.
  const sentFields = OPTIONAL_FIELDS.filter((field) =>
    orders.some((order) => order[field] !== undefined),
  ).join()
  const { columns, phoneRow } = useMemo(() => {
    const action = (order: Order) =>
      canCancel(order) && (
        <span className={classes.actions}>
          {onModify && canModify(order) && <Button onClick={() => onModify(order)}>{copy.modify}</Button>}
          <Button busy={busyIds.has(String(order.id))} onClick={() => onCancel(order)}>
            {copy.cancel}
          </Button>
        </span>
      )
    const options = { ticks, strategyNames, action, detailAddress }
    return {
      columns: orderColumns({ ...options, sentFields: sentFields.split(',') }),
      phoneRow: (order: Order) => phoneRowOf(order, options),
    }
  }, [sentFields, ticks, strategyNames, busyIds, onCancel, onModify, detailAddress])
  return (
    <Card>
      <DataTable
        label={copy.title}
        columns={columns}
        phoneRow={phoneRow}
        rows={orders}
        rowKey={({ id }) => id}
        rowClass={orderRowClass}
        isPartial={isPartial}
      />
    </Card>
  )
}

const OPTIONAL_FIELDS = ['average_price', 'fees', 'created_at', 'strategy'] as const

/** SHELL-17: every value of the columns, in words where it has no title. */
function phoneRowOf(order: Order, options: Omit<OrderColumnsOptions, 'sentFields'>): PhoneRow {
  const { id, instrument, side, type, quantity, filled_qty: filled, status } = order
  const tick = options.ticks.get(instrument)
  const price = priceText(order, tick)
  const reason = rowReason(order)
  return {
    title: instrument,
    id: options.detailAddress ? <TextLink to={options.detailAddress(order)}>{String(id)}</TextLink> : id,
    figure: price === copy.none ? fillPriceText(order, tick) : price,
    detail: (
      <>
        <ToneText tone={toneOfSide(side)}>{side}</ToneText> {type} ·{' '}
        {copy.phone.filledOf(formatQuantity(filled), formatQuantity(quantity))}
      </>
    ),
    status: <Badge tone={toneOfStatus(status)}>{status}</Badge>,
    more: [
      ...fillTexts(order, tick),
      order.created_at && formatInstant(order.created_at),
      ownerOf(order, options),
    ]
      .filter(Boolean)
      .join(' · '),
    note: reason && <ToneText tone={toneOfStatus(status)}>{reason}</ToneText>,
    actions: options.action(order),
  }
}

function fillTexts(order: Order, tick: number | undefined): readonly string[] {
  if (typeof order.average_price !== 'number') return []
  return [copy.phone.fillPrice(fillPriceText(order, tick)), copy.phone.fee(feeText(order))]
}

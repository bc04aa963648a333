import { formatQuantity } from '#format/money.ts'

/** An order as far as these rules read it. */
interface OrderState {
  status: string
  cancel_requested?: boolean | undefined
  pending_change?: unknown
}

/** ORD-6 */
export function canCancel({ status }: Pick<OrderState, 'status'>): boolean {
  return status === 'PENDING'
}

/** ORD-60: an order whose last change or cancel is not confirmed cannot be changed. */
export function canModify(order: OrderState): boolean {
  return canCancel(order) && !order.cancel_requested && order.pending_change === undefined
}

/** An order as far as it is named. */
export interface NamedOrder {
  id: string | number
  side: string
  quantity: number
  instrument: string
}

/** Identifies the order in a question. */
export function describeOrder({ id, side, quantity, instrument }: NamedOrder): string {
  return `${id} · ${side} ${formatQuantity(quantity)} ${instrument}`
}

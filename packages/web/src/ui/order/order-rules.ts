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

/** ORD-52: the field of the form that a rejection concerns; undefined if it concerns no field. */
export function rejectedField(code: string | undefined): 'quantity' | 'price' | undefined {
  return REJECTED_FIELDS.get(code ?? '')
}

const REJECTED_FIELDS = new Map<string, 'quantity' | 'price'>([
  ['price.collar', 'price'],
  ['stop.past-market', 'price'],
  ['limit.order-size', 'quantity'],
  ['limit.position-size', 'quantity'],
  ['margin.insufficient', 'quantity'],
  ['spot.short', 'quantity'],
  ['reduce-only.adds', 'quantity'],
])

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

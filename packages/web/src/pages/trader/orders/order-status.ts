import type { Order } from '@binnacle/contract'
import { formatAveragePrice, formatPrice, formatQuantity } from '#format/money.ts'
import type { Tone } from '#ui/look/tone.ts'
import { copy } from './copy.ts'

const STATUS_TONES = new Map<string, Tone>([
  ['FILLED', 'good'],
  ['PENDING', 'warn'],
  ['CANCELLED', 'calm'],
  ['REJECTED', 'bad'],
])

/** ORD-5: the set of statuses is open; an unknown one is blue. */
export function toneOfStatus(status: string): Tone {
  return STATUS_TONES.get(status) ?? 'info'
}

/** ORD-4 */
export function toneOfSide(side: string): Tone {
  return side === 'BUY' ? 'good' : 'bad'
}

/** ORD-6 */
export function canCancel({ status }: Pick<Order, 'status'>): boolean {
  return status === 'PENDING'
}

/** ORD-34: working orders before finished ones, each in the server's order. */
export function workingFirst(orders: readonly Order[]): readonly Order[] {
  return [...orders.filter(canCancel), ...orders.filter((order) => !canCancel(order))]
}

/** ORD-16 */
export function rejectionReason({ status, reason }: Pick<Order, 'status' | 'reason'>): string | undefined {
  return status === 'REJECTED' ? reason?.sentence : undefined
}

/** ORD-14: the row shows the reason of a rejection and of a cancel that was not requested. CALL-50: or 'Cancelling'. */
export function rowReason(order: Pick<Order, 'status' | 'reason' | 'cancel_requested'>): string | undefined {
  const { status, reason } = order
  if (status === 'PENDING' && order.cancel_requested) return copy.cancelling
  const isUnrequested = status === 'CANCELLED' && !REQUESTED_CANCELS.has(reason?.code ?? '')
  return isUnrequested ? reason?.sentence : rejectionReason(order)
}

const REQUESTED_CANCELS = new Set(['cancel.asked', 'cancel.strategy'])

/** ORD-18: the limit or trigger price, else the average fill price, else a dash. */
export function priceText({ price, average_price }: Pick<Order, 'price' | 'average_price'>): string {
  if (typeof price === 'number') return formatPrice(price)
  if (typeof average_price === 'number') return copy.averagePrice(formatAveragePrice(average_price))
  return copy.noPrice
}

/** Identifies the order in the confirmation. */
export function describeOrder({ id, side, quantity, instrument }: Order): string {
  return `${id} · ${side} ${formatQuantity(quantity)} ${instrument}`
}

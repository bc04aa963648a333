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

/** ORD-5: the set of statuses is open, so one that is not known here is blue. */
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

/** ORD-16: why an order was refused when it was placed. */
export function shownReason({ status, reason }: Pick<Order, 'status' | 'reason'>): string | undefined {
  return status === 'REJECTED' ? reason?.sentence : undefined
}

/** ORD-14: a refusal tells why, and so does a cancel that nobody asked for; any other status explains itself. */
export function reasonInRow(order: Pick<Order, 'status' | 'reason'>): string | undefined {
  const { status, reason } = order
  const isUnasked = status === 'CANCELLED' && !ASKED_CANCELS.has(reason?.code ?? '')
  return isUnasked ? reason?.sentence : shownReason(order)
}

const ASKED_CANCELS = new Set(['cancel.asked', 'cancel.strategy'])

/** ORD-18: the price it asked for, or what a market order got on average, as far as either is known. */
export function shownPrice({ price, average_price }: Pick<Order, 'price' | 'average_price'>): string {
  if (typeof price === 'number') return formatPrice(price)
  if (typeof average_price === 'number') return copy.averagePrice(formatAveragePrice(average_price))
  return copy.noPrice
}

/** One line that tells this order from its neighbours before it is cancelled. */
export function describeOrder({ id, side, quantity, instrument }: Order): string {
  return `${id} · ${side} ${formatQuantity(quantity)} ${instrument}`
}

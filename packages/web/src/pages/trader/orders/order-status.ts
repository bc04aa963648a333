import type { Order, OrderDetail } from '@binnacle/contract'
import { formatAveragePrice, formatFee, formatPriceAtTick, formatQuantity } from '#format/money.ts'
import type { Tone } from '#ui/look/tone.ts'
import { canCancel } from '#ui/order/order-rules.ts'
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

/** ORD-34: working orders before finished ones, each in the server's order. */
export function workingFirst(orders: readonly Order[]): readonly Order[] {
  return [...orders.filter(canCancel), ...orders.filter((order) => !canCancel(order))]
}

/** ORD-16 */
export function rejectionReason({ status, reason }: Pick<Order, 'status' | 'reason'>): string | undefined {
  return status === 'REJECTED' ? reason?.sentence : undefined
}

/** ORD-14: the row shows the reason of a rejection and of a cancel that was not requested. CALL-50: or 'Cancelling'. */
export function rowReason(order: RowReasonFields): string | undefined {
  const { status, reason, pending_change: change, change_rejected: rejected } = order
  if (status === 'PENDING' && order.cancel_requested) return copy.cancelling
  if (status === 'PENDING' && change) {
    return copy.modifying(formatQuantity(change.quantity), priceText(change, undefined))
  }
  if (status === 'PENDING' && rejected) return rejected.sentence
  const isUnrequested = status === 'CANCELLED' && !REQUESTED_CANCELS.has(reason?.code ?? '')
  return isUnrequested ? reason?.sentence : rejectionReason(order)
}

type RowReasonFields = Pick<
  Order,
  'status' | 'reason' | 'cancel_requested' | 'pending_change' | 'change_rejected'
>

const REQUESTED_CANCELS = new Set(['cancel.asked', 'cancel.strategy'])

/** The limit or trigger price; a market order has none. ORD-51: by the instrument's tick if it is known. */
export function priceText({ price }: Pick<Order, 'price'>, tick: number | undefined): string {
  if (typeof price !== 'number') return copy.none
  return formatPriceAtTick(price, tick)
}

/** ORD-18: the average price of the fills, or a dash before the first. */
export function fillPriceText({ average_price: price }: Order, tick: number | undefined): string {
  if (typeof price !== 'number') return copy.none
  return formatPriceAtTick(price, tick, formatAveragePrice)
}

/** ORD-50: a dash before the first fill. */
export function feeText({ fees, filled_qty: filled }: Order): string {
  return fees === undefined || filled === 0 ? copy.none : formatFee(fees)
}

export type CheckResult = 'passed' | 'failed'

/** ORD-450: what the engine decided at each check, which are in its order; undefined for those after its denial. */
export function checkResults(
  { order, steps }: Pick<OrderDetail, 'order' | 'steps'>,
  checks: readonly { check: string }[],
): readonly (CheckResult | undefined)[] {
  if (!steps.some(({ event }) => event === 'denied')) return checks.map(() => 'passed')
  const failed = checks.findIndex(({ check }) => check === DENYING_CHECKS.get(order.reason?.code ?? ''))
  return checks.map((_, index) => (index < failed ? 'passed' : index === failed ? 'failed' : undefined))
}

/** By the reason of the denial; every other reason belongs to a check without a number. */
const DENYING_CHECKS = new Map([
  ['market.stale', 'quote_age_ms'],
  ['limit.order-size', 'max_order_size'],
  ['limit.strategy-loss', 'strategy_loss'],
  ['limit.daily-loss', 'max_daily_loss'],
  ['limit.positions', 'max_positions'],
  ['limit.position-size', 'max_position_size'],
  ['margin.insufficient', 'margin'],
])

import {
  type ClosedPositionView,
  type EngineViews,
  type FillRecord,
  type FundingRecord,
  type IdempotencyKey,
  type JournalEntry,
  type KeyedOrder,
  moneyToNumber,
  type OrderBasis,
  type OrderView,
} from '@binnacle/engine'
import type { DecisionPrice } from '#storage/orders/order-history.ts'

/** Rows of the order history that are derived from entries and not written yet. */
export interface WaitingRows {
  readonly orders: OrderView[]
  readonly keyed: Map<IdempotencyKey, KeyedOrder>
  readonly fills: FillRecord[]
  readonly closed: ClosedPositionView[]
  /** Of every order that was submitted. */
  readonly decisions: DecisionPrice[]
  readonly funding: FundingRecord[]
}

export function emptyRows(): WaitingRows {
  return { orders: [], keyed: new Map(), fills: [], closed: [], decisions: [], funding: [] }
}

/** Adds what an entry means for the history. An order filled by two events of one entry is added twice, equal. */
export function addRows(rows: WaitingRows, entry: JournalEntry, views: EngineViews): void {
  let hasFills = false
  for (const event of entry.events) {
    if (event.type === 'OrderSubmitted' || event.type === 'OrderDenied') {
      const { orderId, terms } = event
      if (terms.key !== null) rows.keyed.set(terms.key, { orderId, seq: entry.seq, terms })
    }
    if (event.type === 'OrderSubmitted') {
      rows.decisions.push({ orderId: event.orderId, mid: midOf(event.basis) })
    }
    if (event.type === 'FundingPaid') {
      const { strategy, instrument, amount } = event
      const { at, seq } = entry
      rows.funding.push({ strategy, instrument, amount: moneyToNumber(amount), at, seq })
    }
    if (!('orderId' in event && FINISHING.has(event.type))) continue
    const order = views.order(event.orderId)
    if (order === null) continue
    if (order.status !== 'PENDING') rows.orders.push(order)
    if (event.type !== 'OrderFilled') continue
    const fill = views.viewFill(event, entry)
    if (fill !== null) rows.fills.push(fill)
    hasFills = true
  }
  if (hasFills) rows.closed.push(...views.closedBy(entry.seq))
}

const FINISHING: ReadonlySet<string> = new Set([
  'OrderDenied',
  'OrderFilled',
  'OrderCancelled',
  'OrderRejected',
])

/** Entries of older versions have no quote. */
function midOf(basis: OrderBasis | undefined): number | null {
  return basis?.quote ? (basis.quote.bid + basis.quote.ask) / 2 : null
}

import type {
  ClosedPositionView,
  FillRecord,
  IdempotencyKey,
  JournalEntry,
  KeyedOrder,
  OrderView,
  Views,
} from '@binnacle/engine'

/** Rows of the order history that are derived from entries and not written yet. */
export interface WaitingRows {
  readonly orders: OrderView[]
  readonly keyed: Map<IdempotencyKey, KeyedOrder>
  readonly fills: FillRecord[]
  readonly closed: ClosedPositionView[]
}

export function emptyRows(): WaitingRows {
  return { orders: [], keyed: new Map(), fills: [], closed: [] }
}

/** Adds what an entry means for the history. An order filled by two events of one entry is added twice, equal. */
export function addRows(rows: WaitingRows, entry: JournalEntry, views: Views): void {
  let hasFills = false
  for (const event of entry.events) {
    if (event.type === 'OrderSubmitted' || event.type === 'OrderDenied') {
      const { orderId, terms } = event
      if (terms.key !== null) rows.keyed.set(terms.key, { orderId, seq: entry.seq, terms })
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

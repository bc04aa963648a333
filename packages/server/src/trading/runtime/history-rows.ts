import {
  type ClosedPositionView,
  type FillRecord,
  type IdempotencyKey,
  type Instruments,
  type JournalEntry,
  type KeyedOrder,
  moneyToNumber,
  type OrderFilled,
  type OrderView,
  priceToNumber,
  quantityToNumber,
  type Views,
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
export function addRows(
  rows: WaitingRows,
  entry: JournalEntry,
  views: Views,
  instruments: Instruments,
): void {
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
    rows.fills.push(fillOf(event, order, entry, instruments))
    hasFills = true
  }
  if (hasFills) rows.closed.push(...views.closedBy(entry.seq))
}

function fillOf(
  event: OrderFilled,
  { id: orderId, strategy, instrument, side }: OrderView,
  { at, seq }: JournalEntry,
  instruments: Instruments,
): FillRecord {
  const { tick, lot } = instruments.get(instrument)
  return {
    ...{ orderId, fill: event.fill, strategy, instrument, side },
    quantity: quantityToNumber(event.quantity, lot),
    price: priceToNumber(event.price, tick),
    value: moneyToNumber(event.notional),
    fee: moneyToNumber(event.fee),
    realised: moneyToNumber(event.realised),
    ...{ liquidity: event.liquidity, positionId: event.positionId, at, seq },
  }
}

const FINISHING: ReadonlySet<string> = new Set([
  'OrderDenied',
  'OrderFilled',
  'OrderCancelled',
  'OrderRejected',
])

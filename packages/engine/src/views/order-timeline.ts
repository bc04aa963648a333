import type { Instruments } from '#market/instruments.ts'
import { describeReason } from '#model/describe.ts'
import type { OrderEvent } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { OrderBasis } from '#model/order-basis.ts'
import type { InstrumentId, OrderId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { moneyToNumber } from '#values/money.ts'
import { type Price, priceToNumber } from '#values/price.ts'
import { type Quantity, quantityToNumber } from '#values/quantity.ts'

/** What is recorded about an order, from its placing on. */
export interface OrderTimeline {
  readonly entries: readonly TimelineEntry[]
  /** False when its life is too long to be read in full. */
  readonly isComplete: boolean
}

/** One thing that happened to an order, in decimals. */
export interface TimelineEntry {
  readonly at: Instant
  /** The revision that shows it. */
  readonly revision: number
  /** Who requested it; null for what followed by itself. */
  readonly by: string | null
  readonly event: TimelineEvent
  /** Of a fill, or the new terms of a change. */
  readonly quantity?: number
  readonly price?: number | null
  readonly fee?: number
  readonly liquidity?: string
  /** Realised P&L of a fill, before fees. */
  readonly realised?: number
  /** Why it was denied, rejected or cancelled. */
  readonly sentence?: string
  /** What the placing was decided by; absent in older records. */
  readonly basis?: OrderBasis
}

export type TimelineEvent = Exclude<OrderEvent['type'], 'ReportDisregarded'>

/** Returns the steps of an order in an entry. */
export function viewTimelineEntries(
  entry: JournalEntry,
  order: { readonly id: OrderId; readonly instrument: InstrumentId },
  instruments: Instruments,
): TimelineEntry[] {
  const { lot, tick } = instruments.get(order.instrument)
  const { at, seq: revision, by } = entry
  return entry.events.flatMap((event) => {
    if (!('orderId' in event) || event.orderId !== order.id || event.type === 'ReportDisregarded') return []
    return { at, revision, by, event: event.type, ...detailOf(event, lotsAndTicks) }
  })

  function lotsAndTicks(quantity: Quantity, price: Price | null) {
    return {
      quantity: quantityToNumber(quantity, lot),
      price: price === null ? null : priceToNumber(price, tick),
    }
  }
}

type InUnits = (quantity: Quantity, price: Price | null) => { quantity: number; price: number | null }

function detailOf(event: OrderEvent, inUnits: InUnits): Partial<TimelineEntry> {
  switch (event.type) {
    case 'OrderSubmitted':
      return {
        ...inUnits(event.terms.quantity, event.terms.price),
        ...(event.basis && { basis: event.basis }),
      }
    case 'OrderDenied':
      return {
        ...inUnits(event.terms.quantity, event.terms.price),
        sentence: describeReason(event.reason),
        ...(event.basis && { basis: event.basis }),
      }
    case 'OrderFilled':
      return {
        ...inUnits(event.quantity, event.price),
        fee: moneyToNumber(event.fee),
        liquidity: event.liquidity,
        realised: moneyToNumber(event.realised),
      }
    case 'OrderChangeRequested':
    case 'OrderChanged':
      return inUnits(event.quantity, event.price)
    case 'OrderCancelRequested':
    case 'OrderCancelled':
      return { sentence: describeReason(event.cause) }
    case 'OrderRejected':
    case 'OrderChangeRejected':
      return { sentence: describeReason(event.reason) }
    default:
      return {}
  }
}

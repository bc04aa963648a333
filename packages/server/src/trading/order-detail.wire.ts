import type { OrderDetail } from '@binnacle/contract'
import type { DeskViews, OrderBasis, OrderTimeline, OrderView, TimelineEntry } from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
import { decimalToWire } from './decimal.wire.ts'
import { orderToWire } from './orders.wire.ts'

export function detailToWire(
  order: OrderView,
  { entries, isComplete }: OrderTimeline,
  rows: Pick<DeskViews, 'strategyName'>,
): OrderDetail {
  const basis = entries.find((step) => step.basis !== undefined)?.basis
  return {
    order: orderToWire(order, rows),
    basis: basis === undefined ? null : basisToWire(basis),
    steps: entries.map(stepToWire),
    is_complete: isComplete,
  }
}

function basisToWire({ effect, quote, checks, intent, signal }: OrderBasis): OrderDetail['basis'] {
  return {
    effect,
    quote: quote && { bid: quote.bid, ask: quote.ask, age_ms: quote.ageMs },
    checks: checks.map(({ check, value, limit }) => ({ check, value, limit })),
    intent,
    signal:
      signal &&
      Object.fromEntries(Object.entries(signal).map(([name, value]) => [name, decimalToWire(value)])),
  }
}

function stepToWire(step: TimelineEntry): OrderDetail['steps'][number] {
  return {
    at: isoTime(step.at),
    journal_seq: step.revision,
    // 'OrderChangeRequested' becomes 'change requested'.
    event: step.event
      .replace('Order', '')
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase(),
    by: step.by,
    quantity: step.quantity,
    price: step.price,
    fee: step.fee,
    liquidity: step.liquidity,
    realized_pnl: step.realised,
    sentence: step.sentence,
  }
}

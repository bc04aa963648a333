import { type Answer, type Core, emit, send } from '#core.ts'
import type { PlaceOrder } from '#input.ts'
import { checkOrder, type VenueOrder } from '#risk/gate.ts'
import { type IdempotencyKey, type OrderId, orderId } from '#values/ids.ts'
import { quantity as lots } from '#values/quantity.ts'
import { refuse } from '#values/result.ts'
import type { OrderTerms } from './order.ts'
import { findOrder } from './order-register.ts'
import { parseOrder } from './parse-order.ts'

const NOTHING = lots(0)

/** Places an order: malformed leaves no trace, denied is an order with its reason, approved goes out. */
export function placeOrder(core: Core, command: PlaceOrder): Answer {
  const terms = parseOrder(core.instruments, command)
  if (!terms.ok) return terms
  return (
    answerAgain(core, command.key, (first) => areSameTerms(first, terms.value)) ??
    answerPlaced(submitOrder(core, terms.value, checkOrder))
  )
}

/** Takes well-formed terms through the given rule of the gate; `onApproved` runs before the order goes out. */
export function submitOrder(
  core: Core,
  terms: OrderTerms,
  gate: typeof checkOrder,
  onApproved?: () => void,
): OrderId {
  const { nextNumber: number } = core.state.orders
  const id = orderId(number)
  const { quantity, price } = terms
  const order: VenueOrder = {
    orderId: id,
    number,
    terms,
    quantity,
    price,
    filled: NOTHING,
    isTriggered: false,
    isTaken: false,
    fills: 0,
  }
  const verdict = gate(core, order, core.draft.at)
  if (verdict.ok) {
    onApproved?.()
    const { approved, valuePerLot } = verdict.value
    emit(core, { type: 'OrderSubmitted', orderId: id, terms: approved.terms, valuePerLot })
    send(core, { type: 'submit', order: approved })
  } else {
    emit(core, { type: 'OrderDenied', orderId: id, terms, reason: verdict.reason })
  }
  return id
}

/** Answers with the order that was placed, denied or not. */
export function answerPlaced(id: OrderId): Answer {
  return { ok: true, orderId: id, repeats: null }
}

/**
 * Returns the first answer to a key that was used before; for anything but the same wish it is refused, or whoever sent
 * it would take another order for theirs. Of an order long finished only the key is remembered.
 */
export function answerAgain(
  core: Core,
  key: IdempotencyKey | undefined,
  isSame: (first: OrderTerms) => boolean,
): Answer | null {
  const known = key === undefined ? undefined : core.state.orders.keys.get(key)
  if (known === undefined) return null
  const first = findOrder(core.state.orders, known.orderId)
  if (first !== undefined && !isSame(first.terms)) return refuse({ code: 'key.used', by: known.orderId })
  return { ok: true, orderId: known.orderId, repeats: known.seq }
}

/** The gate may have made the first one reduce-only without being asked to; what was asked for counts. */
function areSameTerms(first: OrderTerms, asked: OrderTerms): boolean {
  const wasAsked = first.reduceOnly && !first.isMadeReduceOnly
  return wasAsked === asked.reduceOnly && TERMS.every((term) => first[term] === asked[term])
}

const TERMS = [
  'strategy',
  'instrument',
  'side',
  'type',
  'timeInForce',
  'quantity',
  'price',
] as const satisfies readonly (keyof OrderTerms)[]

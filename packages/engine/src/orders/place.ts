import type { PlaceOrder } from '#model/input.ts'
import type { OrderTerms } from '#model/order.ts'
import { checkOrder, type VenueOrder } from '#risk/gate.ts'
import { findOrder } from '#state/order-register.ts'
import type { Answer, Core } from '#step/core.ts'
import { emit, send } from '#step/record.ts'
import { type IdempotencyKey, type OrderId, orderId } from '#values/ids.ts'
import { quantity as lots } from '#values/quantity.ts'
import { refuse } from '#values/result.ts'
import { parseOrder } from './parse-order.ts'

const NOTHING = lots(0)

/**
 * Places an order: a malformed one leaves no entry, a denied one is recorded with its reason, an approved one is sent.
 */
export function placeOrder(core: Core, command: PlaceOrder): Answer {
  const terms = parseOrder(core.instruments, command)
  if (!terms.ok) return terms
  return (
    findRepeatedAnswer(core, command.key, (first) => areSameTerms(first, terms.value)) ??
    answerPlaced(submitOrder(core, terms.value, checkOrder))
  )
}

/** Submits well-formed terms through the given check of the gate; `onApproved` runs before the order is sent. */
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
 * Returns the first answer to a repeated key, or a refusal if the command differs from the first one. Of orders that
 * finished long ago only the key is kept.
 */
export function findRepeatedAnswer(
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

/** The gate may have made the first order reduce-only; the requested terms are compared. */
function areSameTerms(first: OrderTerms, requested: OrderTerms): boolean {
  const wasReduceOnly = first.reduceOnly && !first.isMadeReduceOnly
  return wasReduceOnly === requested.reduceOnly && TERMS.every((term) => first[term] === requested[term])
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

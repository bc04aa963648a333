import type { PlaceOrder } from '#model/input.ts'
import type { OrderTerms } from '#model/order.ts'
import type { IntentRecord, OrderBasis } from '#model/order-basis.ts'
import { checkClose, checkOrder, createOrderCandidate, createVenueOrder, explainOrder } from '#risk/gate.ts'
import { accountOf } from '#state/features.ts'
import { findOrder } from '#state/order-register.ts'
import { emit, send } from '#step/record.ts'
import type { CommandAnswer, Core } from '#step/step-core.ts'
import { type OrderId, orderId } from '#values/ids.ts'
import { refuse } from '#values/result.ts'
import { refuseOldKey } from './key-age.ts'
import { parseOrder } from './parse-order.ts'

/**
 * Places an order: a malformed one leaves no entry, a denied one is recorded with its reason, an approved one is sent.
 */
export function placeOrder(core: Core, command: PlaceOrder): CommandAnswer {
  const terms = parseOrder(core.instruments, command)
  if (!terms.ok) return terms
  return (
    findRepeatedAnswer(core, command, (first) => areSameTerms(first, terms.value)) ??
    answerPlaced(submitOrder(core, terms.value, checkOrder))
  )
}

export interface SubmitOptions {
  /** Runs before the order is sent. */
  readonly onApproved?: () => void
  /** What it is placed for, for the record. */
  readonly describeIntent?: () => IntentRecord
}

/** Submits well-formed terms through the given check of the gate. A backtest records no basis of its orders. */
export function submitOrder(
  core: Core,
  given: OrderTerms,
  gate: typeof checkOrder,
  { onApproved, describeIntent }: SubmitOptions = {},
): OrderId {
  const { nextNumber: number } = core.state.orders
  const id = orderId(number)
  const isPaper = accountOf(core.state.features) === 'paper'
  const terms: OrderTerms = isPaper ? { ...given, isPaper } : given
  const order = createVenueOrder(id, number, terms)
  const candidate = createOrderCandidate(core, order, core.draft.at)
  // Before the gate's event, which changes what the basis is computed from.
  const explained = core.isBacktest ? null : explainOrder(candidate, gate === checkClose)
  const basis: OrderBasis | null =
    explained && describeIntent ? { ...explained, ...describeIntent() } : explained
  const verdict = gate(candidate, order)
  if (verdict.ok) {
    onApproved?.()
    const { approved, valuePerLot } = verdict.value
    const submitted = { type: 'OrderSubmitted', orderId: id, terms: approved.terms, valuePerLot } as const
    emit(core, basis === null ? submitted : { ...submitted, basis })
    send(core, { type: 'submit', order: approved })
  } else {
    const denied = { type: 'OrderDenied', orderId: id, terms, reason: verdict.reason } as const
    emit(core, basis === null ? denied : { ...denied, basis })
  }
  return id
}

/** Answers with the order that was placed, denied or not. */
export function answerPlaced(id: OrderId): CommandAnswer {
  return { ok: true, orderId: id, repeats: null }
}

/** Returns the first answer to a repeated key, or a refusal if the command differs from the first one or the key is too old. */
export function findRepeatedAnswer(
  core: Core,
  { key, orderOfKey }: Pick<PlaceOrder, 'key' | 'orderOfKey'>,
  isSame: (first: OrderTerms) => boolean,
): CommandAnswer | null {
  if (key === undefined) return null
  const known = core.state.orders.keys.get(key) ?? orderOfKey
  if (known === undefined) return refuseOldKey(key, core.draft.at)
  const first = findOrder(core.state.orders, known.orderId)?.terms ?? orderOfKey?.terms
  if (first !== undefined && !isSame(first)) return refuse({ code: 'key.used', by: known.orderId })
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

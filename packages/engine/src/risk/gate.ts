import { quoteAt } from '#market/marks.ts'
import {
  largestRemainingOf,
  type Order,
  type OrderChange,
  type OrderTerms,
  remainingOf,
} from '#model/order.ts'
import type { OrderBasis } from '#model/order-basis.ts'
import type { Denial } from '#model/reasons.ts'
import { assert } from '#values/bug.ts'
import type { OrderId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { type Money, NO_MONEY, times } from '#values/money.ts'
import { type Price, priceFromTicks, priceToNumber } from '#values/price.ts'
import { type Quantity, quantityFromLots } from '#values/quantity.ts'
import { ok, type Result, refuse } from '#values/result.ts'
import { type Candidate, exposureWith, reductionOf } from './candidate.ts'
import {
  checkAdding,
  checkCommon,
  checkManualOrders,
  checkOrderSize,
  checkReduceOnly,
  listChecks,
} from './checks.ts'
import type { ExposureSummary, RiskContext } from './exposure.ts'

// Not exported, so only this file can create an approved value.
const APPROVED = Symbol('approved')

/** A value that passed risk. Venues accept nothing else. */
export type Approved<Value> = Value & { readonly [APPROVED]: true }

/** An order as sent to a venue. */
export interface VenueOrder {
  /** Part of the literal, since V8 stores a property that is added later outside the object. */
  readonly [APPROVED]?: boolean
  readonly orderId: OrderId
  /** Orders are numbered as they are placed. */
  readonly number: number
  readonly terms: OrderTerms
  /** What is left to fill. */
  readonly quantity: Quantity
  readonly price: Price | null
  readonly filled: Quantity
  readonly isTriggered: boolean
  /** Whether a venue has accepted it before; then it is resent after a restart and not checked as new. */
  readonly wasAcceptedBefore: boolean
  /** The number of fills that the venue has reported. */
  readonly fills: number
}

/** New terms for an order that a venue already has. */
export interface VenueChange {
  readonly orderId: OrderId
  /** Changes of an order are numbered as they are requested. */
  readonly number: number
  readonly terms: OrderTerms
  /** The order's new size, filled part included. */
  readonly quantity: Quantity
  readonly price: Price | null
}

export interface Approval<Value> {
  readonly approved: Approved<Value>
  readonly valuePerLot: Money
}

/**
 * The gate for every new order. An order above max_order_size passes only if it reduces, and leaves as reduce-only: if
 * the position is closed otherwise, the order is cancelled and cannot open a position of its size.
 */
export function checkOrder(candidate: Candidate, order: VenueOrder): Result<Approval<VenueOrder>, Denial> {
  assert(candidate.terms === order.terms, 'another order', order.orderId)
  const denial = checkCandidate(candidate)
  if (denial) return refuse(denial)
  return ok(approve(exceedsOrderSize(candidate) ? asReduceOnly(order) : order, candidate))
}

/**
 * The gate for closing a position. It checks only what would make it fail at the venue, never a limit, so that a
 * position can always be closed. The order must not exceed the position.
 */
export function checkClose(candidate: Candidate, order: VenueOrder): Result<Approval<VenueOrder>, Denial> {
  assert(candidate.terms === order.terms, 'another order', order.orderId)
  const { held } = reductionOf({ ...candidate, otherWorkingLots: 0 })
  assert(order.terms.reduceOnly && order.quantity <= held, 'a close must only reduce')
  const denial = checkCommon(candidate)
  return denial ? refuse(denial) : ok(approve(order, candidate))
}

/** What the gate would decide about new terms, with the figures it would decide by. */
export interface Assessment {
  readonly denial: Denial | null
  /** Whether it would leave as reduce-only although that was not requested. */
  readonly isMadeReduceOnly: boolean
  readonly value: Money
  readonly valuePerLot: Money
  /** The desk's exposure with the order working. */
  readonly exposureWithOrder: ExposureSummary
}

/** Assesses new terms without approving them. */
export function assessOrder(context: RiskContext, terms: OrderTerms, at: Instant): Assessment {
  const candidate = createCandidate(context, terms, terms, at)
  const denial = checkCandidate(candidate)
  const { value, valuePerLot } = candidate
  const isMadeReduceOnly = denial === null && exceedsOrderSize(candidate)
  const exposureWithOrder = exposureWith(candidate)
  return { denial, isMadeReduceOnly, value, valuePerLot, exposureWithOrder }
}

/** Returns a new order with the figures that the gate decides by. */
export function createOrderCandidate(context: RiskContext, order: VenueOrder, at: Instant): Candidate {
  return createCandidate(context, order.terms, order, at)
}

/** Returns the figures that the gate decides an order by, for the record. */
export function explainOrder(candidate: Candidate, isClose: boolean): OrderBasis {
  const { terms, quote, at, instrument } = candidate
  const reduces = terms.reduceOnly || reductionOf(candidate).reduces
  const effect = isClose ? 'closes' : reduces ? 'reduces' : 'adds'
  return {
    effect,
    quote: quote && {
      bid: priceToNumber(quote.bid, instrument.tick),
      ask: priceToNumber(quote.ask, instrument.tick),
      ageMs: at - quote.at,
    },
    checks: effect === 'adds' ? listChecks(candidate) : [],
  }
}

/** Returns why closing by these terms would be denied now. */
export function findCloseDenial(context: RiskContext, terms: OrderTerms, at: Instant): Denial | null {
  return checkCommon(createCandidate(context, terms, terms, at))
}

/**
 * The gate for new terms of a working order, which replace its old ones. A change cannot make an order reduce-only, so
 * any other order stays within max_order_size even if it reduces.
 */
export function checkChange(
  context: RiskContext,
  order: Order,
  change: VenueChange,
  at: Instant,
): Result<Approval<VenueChange>, Denial> {
  const remaining = quantityFromLots(change.quantity - order.filled)
  const sized = { quantity: remaining, price: change.price, replaces: order }
  const candidate = createCandidate(context, order.terms, sized, at)
  const denial = checkCandidate(candidate) ?? (order.terms.reduceOnly ? null : checkOrderSize(candidate))
  return denial ? refuse(denial) : ok(approve(change, candidate))
}

/** Approves a working order for sending it again after a restart; the journal shows it was approved. */
export function approveResend(order: Order): Approved<VenueOrder> {
  assert(order.valuePerLot > NO_MONEY, 'never approved', order.id)
  return brand({
    orderId: order.id,
    number: order.number,
    terms: order.terms,
    quantity: remainingOf(order),
    price: order.price,
    filled: order.filled,
    isTriggered: order.isTriggered,
    wasAcceptedBefore: order.state !== 'SUBMITTED',
    fills: order.fills,
  })
}

/** Approves a change for sending it again that was requested before a restart and never confirmed. */
export function approveResendChange(order: Order, change: OrderChange): Approved<VenueChange> {
  return brandChange(order, order.changes, change)
}

/** Approves a smaller quantity of a working order, which needs no check. */
export function approveReduction(order: Order, change: OrderChange): Approved<VenueChange> {
  assert(change.quantity < largestRemainingOf(order) + order.filled, 'not less of', order.id)
  return brandChange(order, order.changes + 1, change)
}

/** Returns whether an order passed the gate. */
export function isApproved(order: VenueOrder): order is Approved<VenueOrder> {
  return order[APPROVED] === true
}

/** Creates the venue's order of new terms, not yet approved. */
export function createVenueOrder(orderId: OrderId, number: number, terms: OrderTerms): VenueOrder {
  return {
    orderId,
    number,
    terms,
    quantity: terms.quantity,
    price: terms.price,
    filled: ZERO_QUANTITY,
    isTriggered: false,
    wasAcceptedBefore: false,
    fills: 0,
    [APPROVED]: false,
  }
}

const ZERO_QUANTITY = quantityFromLots(0)

interface SizedTerms {
  readonly quantity: Quantity
  readonly price: Price | null
  readonly replaces?: Order
}

function createCandidate(context: RiskContext, terms: OrderTerms, sized: SizedTerms, at: Instant): Candidate {
  const instrument = context.instruments.get(terms.instrument)
  const quote = quoteAt(context.marks, context.instruments.indexOf(terms.instrument))
  const touch = terms.side === 'BUY' ? quote?.ask : quote?.bid
  // A sell below the market trades at the market price, which is above its limit.
  const pricePerLot = Math.max(
    sized.price ?? 0,
    terms.side === 'SELL' || sized.price === null ? (touch ?? 0) : 0,
  )
  const valuePerLot = times(instrument.tickLotValue, priceFromTicks(Math.max(1, pricePerLot)))
  return {
    context,
    terms,
    instrument,
    quote,
    at,
    quantity: sized.quantity,
    price: sized.price,
    valuePerLot,
    value: times(valuePerLot, sized.quantity),
    replaces: sized.replaces ?? null,
    exposure: null,
  }
}

function checkCandidate(candidate: Candidate): Denial | null {
  const manual = checkManualOrders(candidate)
  if (manual) return manual
  if (candidate.terms.reduceOnly) return checkReduceOnly(candidate)
  return reductionOf(candidate).reduces ? checkCommon(candidate) : checkAdding(candidate)
}

/** Returns whether an approved order would be too large if it added. */
function exceedsOrderSize(candidate: Candidate): boolean {
  return !candidate.terms.reduceOnly && checkOrderSize(candidate) !== null
}

function asReduceOnly(order: VenueOrder): VenueOrder {
  return { ...order, terms: { ...order.terms, reduceOnly: true, isMadeReduceOnly: true } }
}

function approve<Value>(value: Value, { valuePerLot }: Candidate): Approval<Value> {
  return { approved: brand(value), valuePerLot }
}

function brandChange(order: Order, number: number, change: OrderChange): Approved<VenueChange> {
  const { id: orderId, terms } = order
  return brand({ orderId, number, terms, quantity: change.quantity, price: change.price })
}

/** Brands a value that was just created for the venue and that nothing else references. */
function brand<Value>(value: Value): Approved<Value> {
  // Branded on the next line.
  const marked = value as Value & { [APPROVED]: true }
  marked[APPROVED] = true
  return marked
}

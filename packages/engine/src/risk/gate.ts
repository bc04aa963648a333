import { quoteAt } from '#market/marks.ts'
import {
  largestRemainingOf,
  type Order,
  type OrderChange,
  type OrderTerms,
  remainingOf,
} from '#orders/order.ts'
import type { Denial } from '#orders/reasons.ts'
import { assert } from '#values/bug.ts'
import type { OrderId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { type Money, NO_MONEY, times } from '#values/money.ts'
import { type Price, price } from '#values/price.ts'
import { type Quantity, quantity } from '#values/quantity.ts'
import { accept, type Result, refuse } from '#values/result.ts'
import { type Candidate, effectOf } from './candidate.ts'
import { deniesAdding, deniesAny, deniesReduceOnly, deniesSize } from './checks.ts'
import type { RiskContext } from './exposure.ts'

// Not exported: whoever holds an approved value got it from this file.
const APPROVED = Symbol('approved')

/** Something that passed risk. Venues accept nothing else. */
export type Approved<Value> = Value & { readonly [APPROVED]: true }

/** An order as a venue takes it. */
export interface VenueOrder {
  readonly orderId: OrderId
  /** Orders are numbered as they are placed. */
  readonly number: number
  readonly terms: OrderTerms
  /** What is left to fill. */
  readonly quantity: Quantity
  readonly price: Price | null
  readonly filled: Quantity
  readonly isTriggered: boolean
  /** Whether a venue took it before, so that it is told again after a restart and not judged as new. */
  readonly isTaken: boolean
  /** How many fills the venue has already reported. */
  readonly fills: number
}

/** New terms for an order that a venue already has. */
export interface VenueChange {
  readonly orderId: OrderId
  /** Changes of an order are numbered as they are asked for. */
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
 * The gate for every new order, whoever asks. One above max_order_size passes only because it reduces, and leaves as
 * reduce-only: should what it reduces be sold otherwise, it is taken back and does not open a position of its size.
 */
export function checkOrder(
  context: RiskContext,
  order: VenueOrder,
  at: Instant,
): Result<Approval<VenueOrder>, Denial> {
  const candidate = weigh(context, order.terms, order, at)
  const denial = denialOf(candidate)
  if (denial) return refuse(denial)
  return accept(approve(mayOutgrow(candidate) ? asReduceOnly(order) : order, candidate))
}

/**
 * The gate's own rule for closing a position: it may only meet what could make it fail at the venue, never a limit, so
 * that nobody is trapped in a position. The order must be for no more than is held.
 */
export function checkClose(
  context: RiskContext,
  order: VenueOrder,
  at: Instant,
): Result<Approval<VenueOrder>, Denial> {
  const candidate = weigh(context, order.terms, order, at)
  const { held } = effectOf({ ...candidate, otherWorkingLots: 0 })
  assert(order.terms.reduceOnly && order.quantity <= held, 'a close must only reduce')
  const denial = deniesAny(candidate)
  return denial ? refuse(denial) : accept(approve(order, candidate))
}

/**
 * The gate for new terms of a working order, which count in the place of its old ones. A change cannot make an order
 * reduce-only, so one that is not stays within max_order_size even while it reduces.
 */
export function checkChange(
  context: RiskContext,
  order: Order,
  change: VenueChange,
  at: Instant,
): Result<Approval<VenueChange>, Denial> {
  const remaining = quantity(change.quantity - order.filled)
  const sized = { quantity: remaining, price: change.price, replaces: order }
  const candidate = weigh(context, order.terms, sized, at)
  const denial = denialOf(candidate) ?? (order.terms.reduceOnly ? null : deniesSize(candidate))
  return denial ? refuse(denial) : accept(approve(change, candidate))
}

/** Approves again what the journal says was approved: a working order after a restart. */
export function reinstate(order: Order): Approved<VenueOrder> {
  assert(order.valuePerLot > NO_MONEY, 'never approved', order.id)
  return brand({
    orderId: order.id,
    number: order.number,
    terms: order.terms,
    quantity: remainingOf(order),
    price: order.price,
    filled: order.filled,
    isTriggered: order.isTriggered,
    isTaken: order.state !== 'SUBMITTED',
    fills: order.fills,
  })
}

/** Approves again a change that was requested before a restart and never confirmed. */
export function reinstateChange(order: Order, change: OrderChange): Approved<VenueChange> {
  return brandChange(order, order.changes, change)
}

/** Approves less of a working order, which needs no check. */
export function approveLess(order: Order, less: OrderChange): Approved<VenueChange> {
  assert(less.quantity < largestRemainingOf(order) + order.filled, 'not less of', order.id)
  return brandChange(order, order.changes + 1, less)
}

/** Says whether a value really came through the gate. */
export function isApproved<Value extends object>(value: Value): value is Approved<Value> {
  return APPROVED in value
}

interface Sized {
  readonly quantity: Quantity
  readonly price: Price | null
  readonly replaces?: Order
}

function weigh(context: RiskContext, terms: OrderTerms, sized: Sized, at: Instant): Candidate {
  const instrument = context.instruments.get(terms.instrument)
  const quote = quoteAt(context.marks, context.instruments.indexOf(terms.instrument))
  const touch = terms.side === 'BUY' ? quote?.ask : quote?.bid
  // A sell below the market trades at the market, which is worth more than its limit.
  const worth = Math.max(sized.price ?? 0, terms.side === 'SELL' || sized.price === null ? (touch ?? 0) : 0)
  const valuePerLot = times(instrument.tickLotValue, price(Math.max(1, worth)))
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
  }
}

function denialOf(candidate: Candidate): Denial | null {
  if (candidate.terms.reduceOnly) return deniesReduceOnly(candidate)
  return effectOf(candidate).reduces ? deniesAny(candidate) : deniesAdding(candidate)
}

/** Says whether an approved order would be too large, were it ever to add. */
function mayOutgrow(candidate: Candidate): boolean {
  return !candidate.terms.reduceOnly && deniesSize(candidate) !== null
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

/** Marks a value that was just made for the venue and that nobody else holds. */
function brand<Value>(value: Value): Approved<Value> {
  // The mark is put on in the next line.
  const marked = value as Value & { [APPROVED]: true }
  marked[APPROVED] = true
  return marked
}

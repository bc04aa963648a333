import type { OrderEvent, OrderFilled } from '#model/event.ts'
import type { Moment } from '#model/journal-entry.ts'
import type { Order, OrderChange, OrderTerms } from '#model/order.ts'
import { isWorking, type LifeEvent, type OrderState, stateAfter } from '#model/order-life.ts'
import type { CancelCause } from '#model/reasons.ts'
import { assert } from '#values/bug.ts'
import type { IdempotencyKey, OrderId, Seq } from '#values/ids.ts'
import { type Money, NO_MONEY, plus, portionUp } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import { quantityFromLots } from '#values/quantity.ts'
import { ShortMap } from '#values/short-map.ts'
import { addToTotals, createWorkingTotals, removeFromTotals, type WorkingTotals } from './working-totals.ts'

/** The answer to a repeated key. */
export interface KeyedAnswer {
  readonly orderId: OrderId
  readonly seq: Seq
}

/** All working orders, the latest finished ones and the latest keys; older ones are in the store. */
export interface OrderRegister {
  nextNumber: number
  readonly working: ShortMap<OrderId, Order>
  /** In the order they finished, oldest first. */
  readonly finished: ShortMap<OrderId, Order>
  readonly keys: ShortMap<IdempotencyKey, KeyedAnswer>
  /** Sums over the working orders, updated with every event for risk. */
  readonly totals: WorkingTotals
  /** The number of finished orders to keep. */
  readonly maxFinished: number
}

const MAX_FINISHED_ORDERS = 1_000
const MAX_KEYS = 10_000

/** Returns a register without orders. */
export function createOrderRegister(maxFinished = MAX_FINISHED_ORDERS): OrderRegister {
  return {
    nextNumber: 1,
    working: new ShortMap(),
    finished: new ShortMap(),
    keys: new ShortMap(),
    totals: createWorkingTotals(),
    maxFinished,
  }
}

/** Folds the events of orders; every change of state goes through the life table. */
export function applyToOrders(register: OrderRegister, event: OrderEvent, moment: Moment): void {
  switch (event.type) {
    case 'OrderSubmitted':
    case 'OrderDenied':
      addOrder(register, event, moment)
      return
    case 'OrderAccepted':
      move(updatedOrder(register, event.orderId, moment), 'accepted')
      return
    case 'OrderCancelRequested':
      requestCancel(updatedOrder(register, event.orderId, moment), event.cause)
      return
    case 'ReportDisregarded':
      return
    default:
      changeOrder(register, updatedOrder(register, event.orderId, moment), event)
  }
}

/** Stores the answer to a key, if there is one. */
export function storeKey<Value>(
  keys: ShortMap<IdempotencyKey, Value>,
  key: IdempotencyKey | null | undefined,
  answer: Value,
): void {
  if (key == null) return
  keys.set(key, answer)
  if (keys.size > MAX_KEYS) keys.deleteFirst()
}

/** Returns a working or recently finished order. */
export function findOrder(register: OrderRegister, id: OrderId): Order | undefined {
  return register.working.get(id) ?? register.finished.get(id)
}

function updatedOrder(register: OrderRegister, id: OrderId, { at }: Moment): Order {
  const order = register.working.get(id)
  assert(order !== undefined, 'an event for an order that is not working', id)
  order.updatedAt = at
  return order
}

function move(order: Order, life: LifeEvent): void {
  order.state = stateAfter(order.state, life)
}

function requestCancel(order: Order, cause: CancelCause): void {
  order.isCancelRequested = true
  // Only the first request is sent.
  order.cancelCause ??= cause
  move(order, 'cancelRequested')
}

/** Folds an event that may change what the order can still fill. */
function changeOrder(register: OrderRegister, order: Order, event: ChangeEvent): void {
  removeFromTotals(register.totals, order)
  move(order, applyChange(order, event))
  if (isWorking(order.state)) addToTotals(register.totals, order)
  else finish(register, order)
}

type NewOrderEvent = Extract<OrderEvent, { type: 'OrderSubmitted' | 'OrderDenied' }>
type ChangeEvent = Exclude<
  OrderEvent,
  NewOrderEvent | { type: 'OrderAccepted' | 'OrderCancelRequested' | 'ReportDisregarded' }
>

function addOrder(register: OrderRegister, event: NewOrderEvent, moment: Moment): void {
  const isDenied = event.type === 'OrderDenied'
  const order = createOrder(event.orderId, register.nextNumber, event.terms, moment)
  order.state = stateAfter('NEW', isDenied ? 'denied' : 'submitted')
  register.nextNumber += 1
  storeKey(register.keys, event.terms.key, { orderId: event.orderId, seq: moment.seq })
  if (isDenied) {
    order.reason = event.reason
    finish(register, order)
    return
  }
  order.valuePerLot = event.valuePerLot
  register.working.add(order.id, order)
  addToTotals(register.totals, order)
}

function createOrder(id: OrderId, number: number, terms: OrderTerms, moment: Moment): Order {
  const state: OrderState = 'NEW'
  return {
    id,
    number,
    terms,
    quantity: terms.quantity,
    price: terms.price,
    valuePerLot: NO_MONEY,
    state,
    filled: quantityFromLots(0),
    fills: 0,
    filledValue: NO_MONEY,
    fees: NO_MONEY,
    isTriggered: false,
    isCancelRequested: false,
    cancelCause: null,
    change: null,
    changes: 0,
    changeRejection: null,
    reason: null,
    createdAt: moment.at,
    updatedAt: moment.at,
  }
}

function finish(register: OrderRegister, order: Order): void {
  register.working.delete(order.id)
  register.finished.add(order.id, order)
  if (register.finished.size > register.maxFinished) register.finished.deleteFirst()
}

function applyChange(order: Order, event: ChangeEvent): LifeEvent {
  switch (event.type) {
    case 'OrderFilled':
      applyFill(order, event)
      return order.filled < order.quantity ? 'partlyFilled' : 'filled'
    case 'OrderCancelled':
      order.reason = event.cause
      return 'cancelled'
    case 'OrderRejected':
      order.reason = event.reason
      return 'rejected'
    case 'OrderTriggered':
      order.isTriggered = true
      return 'triggered'
    case 'OrderChangeRequested':
      order.change = { quantity: event.quantity, price: event.price, valuePerLot: event.valuePerLot }
      order.changes += 1
      order.changeRejection = null
      return 'changeRequested'
    case 'OrderChanged':
      confirmChange(order, event)
      return 'changed'
    case 'OrderChangeRejected':
      order.change = null
      order.changeRejection = event.reason
      return 'changeRejected'
  }
}

/**
 * A reduction can be requested while an earlier change is still unconfirmed; it stays pending. If the venue confirmed
 * other numbers, the event says whether the change is over.
 */
function confirmChange(order: Order, { quantity, price, isOver }: OrderChanged): void {
  const requested = order.change ?? order
  const isAsRequested = requested.quantity === quantity && requested.price === price
  order.valuePerLot = valuePerLotAt(price, requested)
  order.quantity = quantity
  order.price = price
  if (isAsRequested || isOver) order.change = null
}

type OrderChanged = Extract<OrderEvent, { type: 'OrderChanged' }>

/**
 * At a higher price than requested a lot is worth more than risk computed; at a lower one the market may pay as much.
 */
function valuePerLotAt(price: Price | null, { price: requestedPrice, valuePerLot }: OrderChange): Money {
  const isPricier = price !== null && requestedPrice !== null && price > requestedPrice
  return isPricier ? portionUp(valuePerLot, price, requestedPrice) : valuePerLot
}

function applyFill(order: Order, event: OrderFilled): void {
  order.filled = quantityFromLots(order.filled + event.quantity)
  order.fills = event.fill
  order.filledValue = plus(order.filledValue, event.notional)
  order.fees = plus(order.fees, event.fee)
}

import type { Event, OrderEvent, OrderFilled } from '#event.ts'
import type { Moment } from '#journal/entry.ts'
import { assert } from '#values/bug.ts'
import type { IdempotencyKey, OrderId, Seq } from '#values/ids.ts'
import { type Money, NO_MONEY, plus, portionUp } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import { quantity } from '#values/quantity.ts'
import { ShortMap } from '#values/short-map.ts'
import type { Order, OrderChange, OrderTerms } from './order.ts'
import { isWorking, type LifeEvent, type OrderState, stateAfter } from './order-life.ts'
import { countIn, countOut, createWorkingTotals, type WorkingTotals } from './working-totals.ts'

/** The answer that a repeated key gets again. */
export interface KeyedAnswer {
  readonly orderId: OrderId
  readonly seq: Seq
}

/** All orders that work, the latest that do not, and the keys lately used; older ones are the store's. */
export interface OrderRegister {
  nextNumber: number
  readonly working: ShortMap<OrderId, Order>
  /** In the order in which they finished, oldest first. */
  readonly finished: ShortMap<OrderId, Order>
  readonly keys: ShortMap<IdempotencyKey, KeyedAnswer>
  /** Sums over the working orders, kept up with every event so that risk need not count. */
  readonly totals: WorkingTotals
  /** How many finished orders are kept. */
  readonly finishedKept: number
}

const FINISHED_KEPT = 1_000
const KEYS_KEPT = 10_000

/** Returns a register without orders. */
export function createOrderRegister(finishedKept = FINISHED_KEPT): OrderRegister {
  return {
    nextNumber: 1,
    working: new ShortMap(),
    finished: new ShortMap(),
    keys: new ShortMap(),
    totals: createWorkingTotals(),
    finishedKept,
  }
}

/** Folds the events of orders; every change of state goes through the life table. */
export function applyToOrders(register: OrderRegister, event: Event, moment: Moment): void {
  if (event.type === 'OrderSubmitted' || event.type === 'OrderDenied') {
    admit(register, event, moment)
    return
  }
  const life = LIFE_EVENTS.get(event.type)
  // A disregarded report and the events of other registers move no order.
  if (life === undefined || !('orderId' in event)) return
  const order = register.working.get(event.orderId)
  assert(order !== undefined, 'an event for an order that does not work', event.orderId)
  order.updatedAt = moment.at
  if (event.type === 'OrderAccepted') {
    // The most frequent one changes nothing that is summed up.
    order.state = stateAfter(order.state, life)
    return
  }
  countOut(register.totals, order)
  change(order, event)
  order.state = stateAfter(order.state, lifeOf(life, order))
  if (isWorking(order.state)) countIn(register.totals, order)
  else finish(register, order)
}

/** Keeps the answer to a key, if there was one, for when it is asked again. */
export function rememberKey<Kept>(
  keys: ShortMap<IdempotencyKey, Kept>,
  key: IdempotencyKey | null | undefined,
  answer: Kept,
): void {
  if (key == null) return
  keys.set(key, answer)
  if (keys.size > KEYS_KEPT) keys.deleteFirst()
}

/** Returns an order that is still known. */
export function findOrder(register: OrderRegister, id: OrderId): Order | undefined {
  return register.working.get(id) ?? register.finished.get(id)
}

const LIFE_EVENTS: ReadonlyMap<string, LifeEvent> = new Map(
  Object.entries({
    OrderAccepted: 'accepted',
    OrderTriggered: 'triggered',
    OrderFilled: 'filled',
    OrderChangeRequested: 'changeRequested',
    OrderChanged: 'changed',
    OrderChangeRejected: 'changeRejected',
    OrderCancelRequested: 'cancelRequested',
    OrderCancelled: 'cancelled',
    OrderRejected: 'rejected',
  } satisfies Partial<Record<OrderEvent['type'], LifeEvent>>),
)

function lifeOf(life: LifeEvent, order: Order): LifeEvent {
  return life === 'filled' && order.filled < order.quantity ? 'partlyFilled' : life
}

type Admission = Extract<OrderEvent, { type: 'OrderSubmitted' | 'OrderDenied' }>

function admit(register: OrderRegister, event: Admission, moment: Moment): void {
  const isDenied = event.type === 'OrderDenied'
  const order = createOrder(event.orderId, register.nextNumber, event.terms, moment)
  order.state = stateAfter('NEW', isDenied ? 'denied' : 'submitted')
  register.nextNumber += 1
  rememberKey(register.keys, event.terms.key, { orderId: event.orderId, seq: moment.seq })
  if (isDenied) {
    order.reason = event.reason
    finish(register, order)
    return
  }
  order.valuePerLot = event.valuePerLot
  register.working.add(order.id, order)
  countIn(register.totals, order)
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
    filled: quantity(0),
    fills: 0,
    filledValue: NO_MONEY,
    fees: NO_MONEY,
    isTriggered: false,
    isCancelRequested: false,
    change: null,
    changes: 0,
    reason: null,
    createdAt: moment.at,
    updatedAt: moment.at,
  }
}

function finish(register: OrderRegister, order: Order): void {
  register.working.delete(order.id)
  register.finished.add(order.id, order)
  if (register.finished.size > register.finishedKept) register.finished.deleteFirst()
}

function change(order: Order, event: OrderEvent): void {
  switch (event.type) {
    case 'OrderFilled':
      fill(order, event)
      return
    case 'OrderTriggered':
      order.isTriggered = true
      return
    case 'OrderChangeRequested':
      order.change = { quantity: event.quantity, price: event.price, valuePerLot: event.valuePerLot }
      order.changes += 1
      return
    case 'OrderChanged':
      confirm(order, event)
      return
    case 'OrderChangeRejected':
      order.change = null
      return
    default:
      end(order, event)
  }
}

/**
 * A cut can follow a change that is confirmed only now: it is still on its way, and told again after a restart. With
 * other numbers than asked for it is over when the event says so.
 */
function confirm(order: Order, { quantity, price, isOver }: OrderChanged): void {
  const asked = order.change ?? order
  const isAsAsked = asked.quantity === quantity && asked.price === price
  order.valuePerLot = valuePerLotAt(price, asked)
  order.quantity = quantity
  order.price = price
  if (isAsAsked || isOver) order.change = null
}

type OrderChanged = Extract<OrderEvent, { type: 'OrderChanged' }>

/** At a higher price than asked for a lot is worth more than risk reckoned; at a lower one the market may pay as much. */
function valuePerLotAt(price: Price | null, { price: asked, valuePerLot }: OrderChange): Money {
  const isDearer = price !== null && asked !== null && price > asked
  return isDearer ? portionUp(valuePerLot, price, asked) : valuePerLot
}

function end(order: Order, event: OrderEvent): void {
  if (event.type === 'OrderCancelRequested') order.isCancelRequested = true
  if (event.type === 'OrderCancelled') order.reason = event.cause
  if (event.type === 'OrderRejected') order.reason = event.reason
}

function fill(order: Order, event: OrderFilled): void {
  order.filled = quantity(order.filled + event.quantity)
  order.fills = event.fill
  order.filledValue = plus(order.filledValue, event.notional)
  order.fees = plus(order.fees, event.fee)
}

import type { ModifyOrder, PlaceOrder } from '#input.ts'
import type { Instrument } from '#market/instrument.ts'
import type { Instruments } from '#market/instruments.ts'
import { type DecimalText, printUnits } from '#values/decimal.ts'
import { type IdempotencyKey, MANUAL } from '#values/ids.ts'
import { type Price, parsePrice } from '#values/price.ts'
import { parseQuantity, type Quantity, quantityToNumber } from '#values/quantity.ts'
import { accept, type Result, refuse } from '#values/result.ts'
import type { StepFault } from '#values/step.ts'
import type { Order, OrderTerms, OrderType, TimeInForce } from './order.ts'
import type { Malformed } from './reasons.ts'

const MAX_KEY_LENGTH = 200

/** Turns what was asked for into terms that are on tick and lot, or says what makes no sense. */
export function parseOrder(instruments: Instruments, asked: PlaceOrder): Result<OrderTerms, Malformed> {
  const instrument = instruments.find(asked.instrument)
  if (!instrument) return refuse({ code: 'instrument.unknown', instrument: asked.instrument })
  const quantity = readQuantity(instrument, asked.quantity)
  if (!quantity.ok) return quantity
  const price = readPrice(instrument, asked.orderType, asked.price ?? null)
  if (!price.ok) return price
  const timeInForce = readTimeInForce(asked.orderType, asked.timeInForce)
  if (!timeInForce.ok) return timeInForce
  const unfit = demandShortKey(asked.key)
  if (unfit !== null) return refuse(unfit)
  return accept({
    strategy: asked.strategy ?? MANUAL,
    instrument: instrument.id,
    side: asked.side,
    type: asked.orderType,
    timeInForce: timeInForce.value,
    quantity: quantity.value,
    price: price.value,
    reduceOnly: asked.reduceOnly ?? false,
    key: asked.key ?? null,
  })
}

/** Returns what is wrong with an idempotency key: it is kept, so it may not be of any length. */
export function demandShortKey(key: IdempotencyKey | undefined): Malformed | null {
  const length = key?.length ?? 0
  return length > MAX_KEY_LENGTH ? { code: 'key.too-long', length, max: MAX_KEY_LENGTH } : null
}

export interface NewTerms {
  readonly quantity: Quantity
  readonly price: Price | null
}

/** Reads the new terms of a working order; what was left out stays as it is. */
export function parseChange(
  instrument: Instrument,
  order: Order,
  asked: ModifyOrder,
): Result<NewTerms, Malformed> {
  const quantity =
    asked.quantity === undefined ? accept(order.quantity) : readQuantity(instrument, asked.quantity)
  if (!quantity.ok) return quantity
  if (quantity.value <= order.filled) {
    const filled = String(quantityToNumber(order.filled, instrument.lot))
    return refuse({ code: 'quantity.below-filled', given: String(asked.quantity), filled })
  }
  const price =
    asked.price === undefined ? accept(order.price) : readPrice(instrument, order.terms.type, asked.price)
  return price.ok ? accept({ quantity: quantity.value, price: price.value }) : price
}

function readQuantity(instrument: Instrument, given: DecimalText): Result<Quantity, Malformed> {
  const { lot, minQuantity } = instrument
  const quantity = parseQuantity(given, lot)
  if (quantity.ok && quantity.value >= minQuantity) return quantity
  const min = quantityToNumber(minQuantity, lot)
  if (!quantity.ok && !isOffStepBelow(min, quantity.reason)) {
    return refuse(malformed('quantity', quantity.reason))
  }
  const lotSize = printUnits(lot.units)
  return refuse({ code: 'quantity.below-minimum', given: String(given), min: String(min), step: lotSize })
}

/** Off the lot and too small as well: the nearest lots would be refused in their turn. */
function isOffStepBelow(min: number, reason: StepFault): boolean {
  return reason.fault === 'off-step' && Number(reason.above) <= min
}

function readPrice(
  instrument: Instrument,
  type: OrderType,
  given: DecimalText | null,
): Result<Price | null, Malformed> {
  if (type === 'MARKET') return accept(null)
  if (given === null) return refuse({ code: 'price.missing', type })
  const price = parsePrice(given, instrument.tick)
  return price.ok ? price : refuse(malformed('price', price.reason))
}

const ALLOWED: Record<OrderType, readonly [usual: TimeInForce, ...others: TimeInForce[]]> = {
  MARKET: ['IOC', 'FOK'],
  LIMIT: ['GTC', 'IOC', 'FOK'],
  STOP: ['GTC'],
}

function readTimeInForce(
  type: OrderType,
  timeInForce: TimeInForce = ALLOWED[type][0],
): Result<TimeInForce, Malformed> {
  if (ALLOWED[type].includes(timeInForce)) return accept(timeInForce)
  return refuse({ code: 'time-in-force.unsupported', type, timeInForce })
}

function malformed(field: 'price' | 'quantity', reason: StepFault): Malformed {
  const { fault, ...numbers } = reason
  if (reason.fault === 'off-step') {
    const { given, step, below, above } = reason
    return { code: field === 'price' ? 'price.off-tick' : 'quantity.off-lot', given, step, below, above }
  }
  // The remaining faults have the same name and the same numbers in both unions.
  return { code: `${field}.${fault}`, ...numbers } as Malformed
}

import type { Instruments } from '#market/instruments.ts'
import type { ModifyOrder, PlaceOrder } from '#model/input.ts'
import type { Instrument } from '#model/instrument.ts'
import type { Order, OrderTerms, OrderType, TimeInForce } from '#model/order.ts'
import type { MalformedInput } from '#model/reasons.ts'
import { type DecimalText, printUnits } from '#values/decimal.ts'
import { type IdempotencyKey, MANUAL } from '#values/ids.ts'
import type { Increment, IncrementFault } from '#values/increment.ts'
import { type Price, parsePrice } from '#values/price.ts'
import { parseQuantity, type Quantity, quantityToNumber } from '#values/quantity.ts'
import { ok, type Result, refuse } from '#values/result.ts'

const MAX_KEY_LENGTH = 200

/** Parses an order into terms on tick and lot, or returns what is malformed. */
export function parseOrder(
  instruments: Instruments,
  command: PlaceOrder,
): Result<OrderTerms, MalformedInput> {
  const instrument = instruments.find(command.instrument)
  if (!instrument) return refuse({ code: 'instrument.unknown', instrument: command.instrument })
  const quantity = readQuantity(instrument, command.quantity)
  if (!quantity.ok) return quantity
  const price = readPrice(instrument, command.orderType, command.price ?? null)
  if (!price.ok) return price
  const timeInForce = readTimeInForce(command.orderType, command.timeInForce)
  if (!timeInForce.ok) return timeInForce
  const keyProblem = validateKey(command.key)
  if (keyProblem !== null) return refuse(keyProblem)
  return ok({
    strategy: command.strategy ?? MANUAL,
    instrument: instrument.id,
    side: command.side,
    type: command.orderType,
    timeInForce: timeInForce.value,
    quantity: quantity.value,
    price: price.value,
    reduceOnly: command.reduceOnly ?? false,
    key: command.key ?? null,
  })
}

/** Returns what is wrong with an idempotency key. Keys are stored, so their length is limited. */
export function validateKey(key: IdempotencyKey | undefined): MalformedInput | null {
  const length = key?.length ?? 0
  return length > MAX_KEY_LENGTH ? { code: 'key.too-long', length, max: MAX_KEY_LENGTH } : null
}

export interface NewTerms {
  readonly quantity: Quantity
  readonly price: Price | null
}

/** Parses the new terms of a working order; omitted fields stay as they are. */
export function parseChange(
  instrument: Instrument,
  order: Order,
  command: ModifyOrder,
): Result<NewTerms, MalformedInput> {
  const quantity =
    command.quantity === undefined ? ok(order.quantity) : readQuantity(instrument, command.quantity)
  if (!quantity.ok) return quantity
  if (quantity.value <= order.filled) {
    const filled = String(quantityToNumber(order.filled, instrument.lot))
    return refuse({ code: 'quantity.below-filled', given: String(command.quantity), filled })
  }
  const price =
    command.price === undefined ? ok(order.price) : readPrice(instrument, order.terms.type, command.price)
  return price.ok ? ok({ quantity: quantity.value, price: price.value }) : price
}

/** Parses how much of a position to close; all of it may be less than the instrument's minimum. */
export function parseClosing(
  instrument: Instrument,
  held: Quantity,
  given: DecimalText,
): Result<Quantity, MalformedInput> {
  const parsed = parseQuantity(given, instrument.lot)
  if (parsed.ok && parsed.value === held) return parsed
  if (parsed.ok && parsed.value > held) {
    const inUnits = String(quantityToNumber(held, instrument.lot))
    return refuse({ code: 'quantity.above-position', given: String(given), held: inUnits })
  }
  return readQuantity(instrument, given)
}

/** Parses a price on the tick, of an order or of an exit. */
export function parseAnyPrice(given: DecimalText, tick: Increment): Result<Price, MalformedInput> {
  const price = parsePrice(given, tick)
  return price.ok ? price : refuse(malformed('price', price.reason))
}

function readQuantity(instrument: Instrument, given: DecimalText): Result<Quantity, MalformedInput> {
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

/** Off the lot and below the minimum: the nearest lots would be refused as well. */
function isOffStepBelow(min: number, reason: IncrementFault): boolean {
  return reason.fault === 'off-step' && Number(reason.above) <= min
}

function readPrice(
  instrument: Instrument,
  type: OrderType,
  given: DecimalText | null,
): Result<Price | null, MalformedInput> {
  if (type === 'MARKET') return ok(null)
  if (given === null) return refuse({ code: 'price.missing', type })
  return parseAnyPrice(given, instrument.tick)
}

const ALLOWED_TIMES_IN_FORCE: Record<OrderType, readonly [preset: TimeInForce, ...others: TimeInForce[]]> = {
  MARKET: ['IOC', 'FOK'],
  LIMIT: ['GTC', 'IOC', 'FOK'],
  STOP: ['GTC'],
}

function readTimeInForce(
  type: OrderType,
  timeInForce: TimeInForce = ALLOWED_TIMES_IN_FORCE[type][0],
): Result<TimeInForce, MalformedInput> {
  if (ALLOWED_TIMES_IN_FORCE[type].includes(timeInForce)) return ok(timeInForce)
  return refuse({ code: 'time-in-force.unsupported', type, timeInForce })
}

function malformed(field: 'price' | 'quantity', reason: IncrementFault): MalformedInput {
  const { fault, ...numbers } = reason
  if (reason.fault === 'off-step') {
    const { given, step, below, above } = reason
    return { code: field === 'price' ? 'price.off-tick' : 'quantity.off-lot', given, step, below, above }
  }
  // The remaining faults have the same name and the same numbers in both unions.
  return { code: `${field}.${fault}`, ...numbers } as MalformedInput
}

import type { Bar, Desk, Order, Strategy, Terms } from '#starter/binnacle.ts'
import type {
  BarMessage,
  DeskSnapshot,
  InstrumentSpec,
  IntentMessage,
  OrderOptions,
  OrderSnapshot,
  StartMessage,
  StrategyUpdate,
} from './protocol.ts'
import type { Clock } from './sealed-globals.ts'

const UNITS = 1e8
/** A computed quantity may be slightly below a whole lot. */
const ROUNDING_TOLERANCE = 1e-6
/** Orders and cancels of one update; `reply.ts` has the same limit. */
const MAX_INTENTS = 50
const ORDER_ID_MAX_CHARS = 64
const TIMES_IN_FORCE: ReadonlySet<unknown> = new Set(['GTC', 'IOC', 'FOK'])

/** What the desk of a module shows, in ticks and lots. */
export interface DeskSource {
  bid(slot: number): number
  ask(slot: number): number
  position(slot: number): number
  orders(): readonly OrderSnapshot[]
}

/** During warm-up the desk shows nothing. */
export const EMPTY_SOURCE: DeskSource = {
  bid: () => 0,
  ask: () => 0,
  position: () => 0,
  orders: () => [],
}

/**
 * Calls a module and collects its intents: decimals in its API, ticks and lots here. The module gets copies of bars and
 * a frozen desk of closures, so nothing that it holds leads to the caller.
 */
export class StrategyCaller {
  readonly #strategy: Strategy
  readonly #instruments: readonly InstrumentSpec[]
  readonly #intervalMs: number
  readonly #clock: Clock
  readonly #desk: Desk
  #source: DeskSource = EMPTY_SOURCE
  #intents: IntentMessage[] = []
  #isLive = false

  constructor(
    { instruments, intervalMs }: Pick<StartMessage, 'instruments' | 'intervalMs'>,
    clock: Clock,
    strategy: Strategy,
  ) {
    this.#strategy = strategy
    this.#instruments = instruments
    this.#intervalMs = intervalMs
    this.#clock = clock
    this.#desk = this.#createDesk()
  }

  /** Calls the callbacks for an update and returns the intents they made. */
  handle(update: StrategyUpdate): readonly IntentMessage[] {
    this.begin(update.isLive, sourceOf(update.desk))
    for (const bar of update.bars)
      this.callBar(bar, update.isLive ? update.now : bar.start + this.#intervalMs)
    this.#clock.now = update.now
    for (const slot of update.quotedSlots) this.callQuote(slot)
    return this.take()
  }

  /** Begins an update. */
  begin(isLive: boolean, source: DeskSource): void {
    this.#isLive = isLive
    this.#source = source
    if (this.#intents.length > 0) this.#intents = []
  }

  callBar(bar: BarMessage, now: number): void {
    this.#clock.now = now
    rejectPromise('onBar', this.#strategy.onBar?.(this.#barOf(bar), this.#desk))
  }

  callQuote(slot: number): void {
    const { id } = this.#at(slot)
    const quote = { instrument: id, bid: this.#bid(slot), ask: this.#ask(slot) }
    rejectPromise('onQuote', this.#strategy.onQuote?.(quote, this.#desk))
  }

  /** The intents of the update; none during warm-up. */
  take(): readonly IntentMessage[] {
    return this.#isLive ? this.#intents : []
  }

  #createDesk(): Desk {
    const clock = this.#clock
    const isLive = () => this.#isLive
    const desk: Desk = {
      get now() {
        return clock.now
      },
      get isLive() {
        return isLive()
      },
      bid: (instrument) => this.#bid(this.#slotOf(instrument)),
      ask: (instrument) => this.#ask(this.#slotOf(instrument)),
      position: (instrument) => this.#position(this.#slotOf(instrument)),
      orders: () => this.#source.orders().map((order) => this.#orderOf(order)),
      quantityFor: (value, instrument) => this.#quantityFor(value, this.#slotOf(instrument)),
      buy: (quantity, terms) => this.#place('BUY', quantity, terms),
      sell: (quantity, terms) => this.#place('SELL', quantity, terms),
      target: (quantity, instrument) => this.#target(quantity, this.#slotOf(instrument)),
      cancel: (order) => this.#cancel(order),
    }
    return freezeAll(desk)
  }

  #bid(slot: number): number {
    return this.#price(slot, this.#source.bid(slot))
  }

  #ask(slot: number): number {
    return this.#price(slot, this.#source.ask(slot))
  }

  #position(slot: number): number {
    return this.#quantity(slot, this.#source.position(slot))
  }

  #orderOf({ id, slot, side, price, quantity, filled }: OrderSnapshot): Order {
    return {
      id,
      instrument: this.#at(slot).id,
      side,
      price: price === null ? null : this.#price(slot, price),
      quantity: this.#quantity(slot, quantity),
      filled: this.#quantity(slot, filled),
    }
  }

  #quantityFor(value: number, slot: number): number {
    const middle = (this.#bid(slot) + this.#ask(slot)) / 2
    if (middle === 0) return 0
    const lots = this.#lots(slot, finite('value', value) / middle)
    return lots < this.#at(slot).minLots ? 0 : this.#quantity(slot, lots)
  }

  #target(quantity: number, slot: number): void {
    this.#add({ type: 'target', slot, lots: this.#lots(slot, finite('quantity', quantity)) })
  }

  #cancel(order: string): void {
    const orderId = String(order)
    if (orderId.length === 0 || orderId.length > ORDER_ID_MAX_CHARS) {
      throw new RangeError('cancel takes the id of an order, such as O-12')
    }
    this.#add({ type: 'cancel', orderId })
  }

  #place(side: 'BUY' | 'SELL', quantity: number, terms: Terms = {}): void {
    const { instrument, price, timeInForce, reduceOnly } = terms
    const slot = this.#slotOf(instrument)
    const { id, minLots } = this.#at(slot)
    const lots = this.#lots(slot, positive('quantity', quantity))
    if (lots < minLots) {
      console.log(
        `${side} ${quantity} ${id} is below the minimum quantity ${this.#quantity(slot, minLots)}: not sent`,
      )
      return
    }
    const limit = price === undefined ? null : this.#ticks(slot, positive('price', price))
    this.#add({ type: 'place', slot, side, lots, options: optionsOf(limit, timeInForce, reduceOnly) })
  }

  #add(intent: IntentMessage): void {
    if (this.#intents.length === MAX_INTENTS) {
      throw new RangeError(`more than ${MAX_INTENTS} orders and cancels in one callback`)
    }
    this.#intents.push(intent)
  }

  #barOf({ slot, start, open, high, low, close, volume }: BarMessage): Bar {
    const { id, tickUnits, lotUnits } = this.#at(slot)
    return {
      instrument: id,
      start,
      end: start + this.#intervalMs,
      open: (open * tickUnits) / UNITS,
      high: (high * tickUnits) / UNITS,
      low: (low * tickUnits) / UNITS,
      close: (close * tickUnits) / UNITS,
      volume: (volume * lotUnits) / UNITS,
    }
  }

  #slotOf(instrument: string | undefined): number {
    if (instrument === undefined) return 0
    const slot = this.#instruments.findIndex(({ id }) => id === instrument)
    if (slot < 0) throw new RangeError(`${instrument} is not among the instruments of this strategy`)
    return slot
  }

  #at(slot: number): InstrumentSpec {
    const instrument = this.#instruments[slot]
    if (instrument === undefined) throw new RangeError(`there is no instrument ${slot}`)
    return instrument
  }

  #price(slot: number, ticks: number): number {
    return (ticks * this.#at(slot).tickUnits) / UNITS
  }

  #quantity(slot: number, lots: number): number {
    return (lots * this.#at(slot).lotUnits) / UNITS
  }

  #ticks(slot: number, price: number): number {
    const ticks = safe('price', price, Math.round((price * UNITS) / this.#at(slot).tickUnits))
    if (ticks > 0) return ticks
    throw new RangeError(`price ${price} is below the tick size ${this.#price(slot, 1)}`)
  }

  #lots(slot: number, quantity: number): number {
    const lots = (Math.abs(quantity) * UNITS) / this.#at(slot).lotUnits
    return safe('quantity', quantity, Math.sign(quantity) * Math.floor(lots + ROUNDING_TOLERANCE))
  }
}

function sourceOf({ bids, asks, positions, orders }: DeskSnapshot): DeskSource {
  return {
    bid: (slot) => bids[slot] ?? 0,
    ask: (slot) => asks[slot] ?? 0,
    position: (slot) => positions[slot] ?? 0,
    orders: () => orders,
  }
}

/** Modules need not be written in TypeScript, so the types say nothing about what is given. */
function optionsOf(
  price: number | null,
  timeInForce: OrderOptions['timeInForce'],
  reduceOnly: boolean | undefined,
): OrderOptions {
  if (timeInForce !== undefined && !TIMES_IN_FORCE.has(timeInForce)) {
    throw new RangeError('timeInForce must be GTC, IOC or FOK')
  }
  if (reduceOnly !== undefined && typeof reduceOnly !== 'boolean') {
    throw new RangeError('reduceOnly must be true or false')
  }
  return {
    price,
    ...(timeInForce !== undefined && { timeInForce }),
    ...(reduceOnly !== undefined && { reduceOnly }),
  }
}

/** Freezes an object and its functions: the module holds it between calls. */
function freezeAll<Held extends object>(held: Held): Held {
  for (const { value, get } of Object.values(Object.getOwnPropertyDescriptors(held)))
    Object.freeze(value ?? get)
  return Object.freeze(held)
}

function finite(name: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new RangeError(`${name} must be a finite number, not ${String(value)}`)
}

function positive(name: string, value: number): number {
  if (finite(name, value) > 0) return value
  throw new RangeError(`${name} must be above 0, not ${value}`)
}

function safe(name: string, value: number, steps: number): number {
  // A negative zero would be another number in an order than in its message.
  if (Number.isSafeInteger(steps)) return steps === 0 ? 0 : steps
  throw new RangeError(`${name} ${value} is too large`)
}

function rejectPromise(listener: string, returned: unknown): void {
  if (typeof returned === 'object' && returned !== null && 'then' in returned) {
    throw new TypeError(`${listener} returned a promise; it must be synchronous`)
  }
}

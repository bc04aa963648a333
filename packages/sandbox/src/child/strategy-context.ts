import type { Bar, Desk, Order, Strategy, Terms } from '#starter/binnacle.ts'
import type {
  BarMessage,
  DeskSnapshot,
  InstrumentSpec,
  IntentMessage,
  StartMessage,
  UpdateRequest,
} from './protocol.ts'
import type { Clock } from './sealed-globals.ts'

const UNITS = 1e8
/** A computed quantity may be slightly below a whole lot. */
const ROUNDING_TOLERANCE = 1e-6
const EMPTY_SNAPSHOT: DeskSnapshot = { bids: [], asks: [], positions: [], orders: [] }

/** The `Desk` of a user module: decimals in its API, ticks and lots in the protocol. */
export class StrategyContext implements Desk {
  readonly #instruments: readonly InstrumentSpec[]
  readonly #intervalMs: number
  readonly #clock: Clock
  #snapshot: DeskSnapshot = EMPTY_SNAPSHOT
  #intents: IntentMessage[] = []
  isLive = false

  constructor({ instruments, intervalMs }: StartMessage, clock: Clock) {
    this.#instruments = instruments
    this.#intervalMs = intervalMs
    this.#clock = clock
  }

  /** Calls the strategy's callbacks for an update and returns the intents they made. */
  handle(question: UpdateRequest, strategy: Strategy): readonly IntentMessage[] {
    this.#snapshot = question.desk
    this.#intents = []
    this.isLive = question.isLive
    for (const bar of question.bars) {
      this.#clock.now = question.isLive ? question.now : bar.start + this.#intervalMs
      rejectPromise('onBar', strategy.onBar?.(this.#barOf(bar), this))
    }
    this.#clock.now = question.now
    for (const slot of question.quotedSlots) {
      const { id } = this.#at(slot)
      rejectPromise(
        'onQuote',
        strategy.onQuote?.({ instrument: id, bid: this.bid(id), ask: this.ask(id) }, this),
      )
    }
    return this.isLive ? this.#intents : []
  }

  get now(): number {
    return this.#clock.now
  }

  bid(instrument?: string): number {
    const slot = this.#slotOf(instrument)
    return this.#price(slot, this.#snapshot.bids[slot] ?? 0)
  }

  ask(instrument?: string): number {
    const slot = this.#slotOf(instrument)
    return this.#price(slot, this.#snapshot.asks[slot] ?? 0)
  }

  position(instrument?: string): number {
    const slot = this.#slotOf(instrument)
    return this.#quantity(slot, this.#snapshot.positions[slot] ?? 0)
  }

  orders(): readonly Order[] {
    return this.#snapshot.orders.map(({ id, slot, side, price, quantity, filled }) => ({
      id,
      instrument: this.#at(slot).id,
      side,
      price: price === null ? null : this.#price(slot, price),
      quantity: this.#quantity(slot, quantity),
      filled: this.#quantity(slot, filled),
    }))
  }

  quantityFor(value: number, instrument?: string): number {
    const slot = this.#slotOf(instrument)
    const middle = (this.bid(instrument) + this.ask(instrument)) / 2
    if (middle === 0) return 0
    const lots = this.#lots(slot, finite('value', value) / middle)
    return lots < this.#at(slot).minLots ? 0 : this.#quantity(slot, lots)
  }

  buy(quantity: number, terms?: Terms): void {
    this.#place('BUY', quantity, terms)
  }

  sell(quantity: number, terms?: Terms): void {
    this.#place('SELL', quantity, terms)
  }

  target(quantity: number, instrument?: string): void {
    const slot = this.#slotOf(instrument)
    this.#intents.push({ type: 'target', slot, lots: this.#lots(slot, finite('quantity', quantity)) })
  }

  cancel(order: string): void {
    this.#intents.push({ type: 'cancel', orderId: String(order) })
  }

  #place(side: 'BUY' | 'SELL', quantity: number, terms: Terms = {}): void {
    const slot = this.#slotOf(terms.instrument)
    const { id, minLots } = this.#at(slot)
    const lots = this.#lots(slot, positive('quantity', quantity))
    if (lots < minLots) {
      console.log(
        `${side} ${quantity} ${id} is below the minimum quantity ${this.#quantity(slot, minLots)}: not sent`,
      )
      return
    }
    const { price, timeInForce, reduceOnly } = terms
    const options = {
      price: price === undefined ? null : this.#ticks(slot, positive('price', price)),
      ...(timeInForce !== undefined && { timeInForce }),
      ...(reduceOnly !== undefined && { reduceOnly }),
    }
    this.#intents.push({ type: 'place', slot, side, lots, options })
  }

  #barOf({ slot, start, open, high, low, close, volume }: BarMessage): Bar {
    return {
      instrument: this.#at(slot).id,
      start,
      end: start + this.#intervalMs,
      open: this.#price(slot, open),
      high: this.#price(slot, high),
      low: this.#price(slot, low),
      close: this.#price(slot, close),
      volume: this.#quantity(slot, volume),
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
    return Math.round((price * UNITS) / this.#at(slot).tickUnits)
  }

  #lots(slot: number, quantity: number): number {
    const lots = (Math.abs(quantity) * UNITS) / this.#at(slot).lotUnits
    return Math.sign(quantity) * Math.floor(lots + ROUNDING_TOLERANCE)
  }
}

function finite(name: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new RangeError(`${name} must be a finite number, not ${String(value)}`)
}

function positive(name: string, value: number): number {
  if (finite(name, value) > 0) return value
  throw new RangeError(`${name} must be above 0, not ${value}`)
}

function rejectPromise(listener: string, returned: unknown): void {
  if (typeof returned === 'object' && returned !== null && 'then' in returned) {
    throw new TypeError(`${listener} returned a promise; it must be synchronous`)
  }
}

import type { Bar, Desk, Order, Strategy, Terms } from '../starter/binnacle.ts'
import type { BarTold, Beginning, DeskTold, InstrumentTold, IntentTold, Question } from './protocol.ts'
import type { Clock } from './sealed-globals.ts'

const UNITS = 1e8
/** A quantity that was computed may miss its lot by a little. */
const ALMOST = 1e-6
const NOTHING: DeskTold = { bids: [], asks: [], positions: [], orders: [] }

/** The desk as the module sees it: decimals outside, ticks and lots inside. */
export class ModuleDesk implements Desk {
  readonly #instruments: readonly InstrumentTold[]
  readonly #intervalMs: number
  readonly #clock: Clock
  #told: DeskTold = NOTHING
  #intents: IntentTold[] = []
  isLive = false

  constructor({ instruments, intervalMs }: Beginning, clock: Clock) {
    this.#instruments = instruments
    this.#intervalMs = intervalMs
    this.#clock = clock
  }

  /** Lets the strategy hear what happened, and returns what it wants. */
  hear(question: Question, strategy: Strategy): readonly IntentTold[] {
    this.#told = question.desk
    this.#intents = []
    this.isLive = question.isLive
    for (const bar of question.bars) {
      this.#clock.now = question.isLive ? question.now : bar.start + this.#intervalMs
      mustBeDone('onBar', strategy.onBar?.(this.#shown(bar), this))
    }
    this.#clock.now = question.now
    for (const slot of question.quoted) {
      const { id } = this.#at(slot)
      mustBeDone(
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
    return this.#price(slot, this.#told.bids[slot] ?? 0)
  }

  ask(instrument?: string): number {
    const slot = this.#slotOf(instrument)
    return this.#price(slot, this.#told.asks[slot] ?? 0)
  }

  position(instrument?: string): number {
    const slot = this.#slotOf(instrument)
    return this.#quantity(slot, this.#told.positions[slot] ?? 0)
  }

  orders(): readonly Order[] {
    return this.#told.orders.map(({ id, slot, side, price, quantity, filled }) => ({
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
      console.log(`${side} ${quantity} ${id} is below the least, ${this.#quantity(slot, minLots)}: not sent`)
      return
    }
    const { price, timeInForce, reduceOnly } = terms
    const wish = {
      price: price === undefined ? null : this.#ticks(slot, positive('price', price)),
      ...(timeInForce !== undefined && { timeInForce }),
      ...(reduceOnly !== undefined && { reduceOnly }),
    }
    this.#intents.push({ type: 'place', slot, side, lots, wish })
  }

  #shown({ slot, start, open, high, low, close, volume }: BarTold): Bar {
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

  #at(slot: number): InstrumentTold {
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
    return Math.sign(quantity) * Math.floor(lots + ALMOST)
  }
}

function finite(name: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new RangeError(`a ${name} of ${String(value)} makes no sense`)
}

function positive(name: string, value: number): number {
  if (finite(name, value) > 0) return value
  throw new RangeError(`a ${name} of ${value} makes no sense`)
}

function mustBeDone(listener: string, returned: unknown): void {
  if (typeof returned === 'object' && returned !== null && 'then' in returned) {
    throw new TypeError(`${listener} returned a promise; it must be done when it returns`)
  }
}

import type { Event, OrderFilled } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { OrderTerms } from '#model/order.ts'
import type { Money } from '#values/money.ts'

/**
 * A running fingerprint of all events with all their fields, to compare two runs without keeping their events: two
 * 32-bit chains. It detects differences, not forgery.
 */
export class EventDigest {
  #one = 0x811c9dc5
  #other = 0x9e3779b9
  /** The codes of words that return: instruments, causes, names of events and fields. */
  readonly #words = new Map<string, number>()
  /** Events of one order follow one another, so the codes of the last ids are kept. */
  readonly #order = new LastWord()
  readonly #position = new LastWord()
  readonly #strategy = new LastWord()
  readonly #instrument = new LastWord()
  events = 0

  add(entry: JournalEntry): void {
    this.#mix(entry.at)
    for (const event of entry.events) this.#addEvent(event)
  }

  text(): string {
    const half = (value: number) => (value >>> 0).toString(16).padStart(8, '0')
    return half(this.#one) + half(this.#other)
  }

  /** The most frequent events field by field; a loop over the fields of an object costs more. */
  #addEvent(event: Event): void {
    this.events += 1
    switch (event.type) {
      case 'OrderSubmitted':
        this.#mixHalf(SUBMITTED)
        this.#mixHalf(this.#order.codeOf(event.orderId))
        this.#addTerms(event.terms)
        this.#mixMoney(event.valuePerLot)
        return
      case 'OrderAccepted':
        this.#mixHalf(ACCEPTED)
        this.#mixHalf(this.#order.codeOf(event.orderId))
        return
      case 'OrderFilled':
        this.#addFill(event)
        return
      case 'OrderCancelRequested':
      case 'OrderCancelled':
        this.#addCancel(event)
        return
      case 'HighWaterRaised':
        this.#mixHalf(HIGH_WATER)
        this.#mixMoney(event.equity)
        return
      case 'DrawdownDeepened':
        this.#mixHalf(DRAWDOWN)
        this.#mix(event.drawdownPpm)
        return
      default:
        this.#mixValue(event)
    }
  }

  #addTerms(terms: OrderTerms): void {
    this.#mixHalf(this.#strategy.codeOf(terms.strategy))
    this.#mixHalf(this.#instrument.codeOf(terms.instrument))
    this.#mixHalf(flagsOf(terms))
    this.#mix(terms.quantity)
    this.#mix(terms.price ?? 0)
  }

  #addFill(event: OrderFilled): void {
    this.#mixHalf(FILLED)
    this.#mixHalf(this.#order.codeOf(event.orderId))
    this.#mix(event.fill * 2 + (event.liquidity === 'MAKER' ? 1 : 0))
    this.#mix(event.quantity)
    this.#mix(event.price)
    this.#mixMoney(event.notional)
    this.#mixMoney(event.fee)
    this.#mixMoney(event.realised)
    this.#mixHalf(this.#position.codeOf(event.positionId))
  }

  /** Half of the events of market making are cancels by the strategy. */
  #addCancel({ type, orderId, cause }: CancelEvent): void {
    this.#mixHalf(type === 'OrderCancelled' ? CANCELLED : CANCEL_REQUESTED)
    this.#mixHalf(this.#order.codeOf(orderId))
    if (cause.code === 'cancel.strategy') this.#mixHalf(this.#strategy.codeOf(cause.strategy))
    else this.#mixValue(cause)
  }

  #mixValue(value: unknown): void {
    if (typeof value === 'string') this.#mixWord(value)
    else if (typeof value === 'number' && !Number.isInteger(value)) this.#mixHalf(codeOf(String(value)))
    else if (typeof value === 'number') this.#mix(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, field] of Object.entries(value)) {
        this.#mixWord(name)
        this.#mixValue(field)
      }
      this.#mixHalf(END)
    } else this.#mixWord(String(value))
  }

  #mixMoney(amount: Money): void {
    if (typeof amount === 'number') this.#mix(amount)
    else this.#mixHalf(codeOf(String(amount)))
  }

  #mixWord(word: string): void {
    let code = this.#words.get(word)
    if (code === undefined) {
      code = codeOf(word)
      if (this.#words.size < MAX_WORDS) this.#words.set(word, code)
    }
    this.#mixHalf(code)
  }

  /** An integer below 2^53 has a low and a high half. */
  #mix(value: number): void {
    const low = value | 0
    this.#mixHalf(low)
    if (value !== low) this.#mixHalf((value / 0x1_0000_0000) | 0)
  }

  #mixHalf(half: number): void {
    this.#one = Math.imul(this.#one ^ half, 0x01000193)
    this.#other = Math.imul(this.#other ^ (this.#other >>> 15) ^ half, 0xc2b2ae35)
  }
}

type CancelEvent = Extract<Event, { type: 'OrderCancelRequested' | 'OrderCancelled' }>

class LastWord {
  #word = ''
  #code = 0

  codeOf(word: string): number {
    if (word === this.#word) return this.#code
    this.#word = word
    this.#code = codeOf(word)
    return this.#code
  }
}

/** A number per combination of the terms that have few values. */
function flagsOf({ side, type, timeInForce, reduceOnly, isMadeReduceOnly, isPaper }: OrderTerms): number {
  const types = type === 'MARKET' ? 0 : type === 'LIMIT' ? 2 : 4
  const times = timeInForce === 'GTC' ? 0 : timeInForce === 'IOC' ? 8 : 16
  const reduces = reduceOnly ? (isMadeReduceOnly ? 64 : 32) : 0
  return (side === 'BUY' ? 1 : 0) + types + times + reduces + (isPaper ? 128 : 0)
}

/** A number per word, derived from its letters, so that a new word changes no old digest. */
function codeOf(word: string): number {
  let code = 0x811c9dc5
  for (let index = 0; index < word.length; index++) {
    code = Math.imul(code ^ word.charCodeAt(index), 0x01000193)
  }
  return code
}

/** Ids of orders are words that do not return. */
const MAX_WORDS = 1_000
/** Ends the fields of an object. */
const END = codeOf('end')
const CANCEL_REQUESTED = codeOf('OrderCancelRequested')
const CANCELLED = codeOf('OrderCancelled')
const FILLED = codeOf('OrderFilled')
const ACCEPTED = codeOf('OrderAccepted')
const SUBMITTED = codeOf('OrderSubmitted')
const HIGH_WATER = codeOf('HighWaterRaised')
const DRAWDOWN = codeOf('DrawdownDeepened')

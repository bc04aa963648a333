import type { Event, EventType } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { OrderTerms } from '#model/order.ts'
import { unitsToNumber } from '#values/money.ts'

/**
 * A running fingerprint of all events, to compare two runs without keeping their events: two 32-bit chains over the
 * numbers in the events. It detects differences, not forgery.
 */
export class EventDigest {
  #one = 0x811c9dc5
  #other = 0x9e3779b9
  events = 0

  add(entry: JournalEntry): void {
    this.#mix(entry.at)
    for (const event of entry.events) this.#addEvent(event)
  }

  text(): string {
    const half = (value: number) => (value >>> 0).toString(16).padStart(8, '0')
    return half(this.#one) + half(this.#other)
  }

  #addEvent(event: Event): void {
    this.events += 1
    switch (event.type) {
      case 'OrderSubmitted':
        this.#mix(SUBMITTED)
        this.#addTerms(event.terms)
        return
      case 'OrderAccepted':
        this.#mix(ACCEPTED)
        return
      case 'OrderFilled':
        this.#mix(FILLED)
        this.#mix(event.quantity)
        this.#mix(event.price)
        this.#mix(unitsToNumber(event.fee))
        this.#mix(unitsToNumber(event.realised))
        return
      case 'OrderCancelRequested':
        this.#mix(CANCEL_REQUESTED)
        return
      case 'OrderCancelled':
        this.#mix(CANCELLED)
        return
      default:
        this.#addOther(event)
    }
  }

  #addOther(event: Event): void {
    this.#mix(codeOf(event.type))
    if (event.type === 'OrderDenied') this.#addTerms(event.terms)
    else if ('equity' in event) this.#mix(Number(event.equity))
    else if ('amount' in event) this.#mix(Number(event.amount))
  }

  #addTerms({ side, quantity, price }: OrderTerms): void {
    this.#mix(side === 'BUY' ? 1 : 2)
    this.#mix(quantity)
    this.#mix(price ?? 0)
  }

  #mix(value: number): void {
    this.#mixHalf(value | 0)
    // An integer below 2^53 has a high half; fractions do not occur here.
    if (value !== (value | 0)) this.#mixHalf(Math.trunc(value / 0x1_0000_0000) | 0)
  }

  #mixHalf(half: number): void {
    this.#one = Math.imul(this.#one ^ half, 0x01000193)
    this.#other = Math.imul(this.#other ^ (this.#other >>> 15) ^ half, 0xc2b2ae35)
  }
}

/** A number per event type, derived from its name, so that a new type changes no old digest. */
function codeOf(type: EventType): number {
  let code = 0x811c9dc5
  for (let index = 0; index < type.length; index++) {
    code = Math.imul(code ^ type.charCodeAt(index), 0x01000193)
  }
  return code
}

/** The codes of the most frequent types; the loop over a name costs more. */
const FILLED = codeOf('OrderFilled')
const ACCEPTED = codeOf('OrderAccepted')
const SUBMITTED = codeOf('OrderSubmitted')
const CANCEL_REQUESTED = codeOf('OrderCancelRequested')
const CANCELLED = codeOf('OrderCancelled')

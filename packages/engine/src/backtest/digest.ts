import type { Event } from '#event.ts'
import type { JournalEntry } from '#journal/entry.ts'
import { unitsToNumber } from '#values/money.ts'

/**
 * A running fingerprint of all that happened, so that two runs can be told apart without keeping their events: two
 * chains of 32 bits over the numbers that events carry. It is no proof against forgery, only against difference.
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
    this.#mix(CODES.get(event.type) ?? newCode(event.type))
    if (event.type === 'OrderFilled') {
      this.#mix(event.quantity)
      this.#mix(event.price)
      this.#mix(unitsToNumber(event.fee))
      this.#mix(unitsToNumber(event.realised))
    } else if (event.type === 'OrderSubmitted' || event.type === 'OrderDenied') {
      this.#mix(event.terms.side === 'BUY' ? 1 : 2)
      this.#mix(event.terms.quantity)
      this.#mix(event.terms.price ?? 0)
    } else if ('equity' in event) this.#mix(Number(event.equity))
    else if ('amount' in event) this.#mix(Number(event.amount))
  }

  #mix(value: number): void {
    // The low and the high half of a whole number below 2^53; what is not whole does not come here.
    const low = value | 0
    const high = Math.trunc(value / 0x1_0000_0000) | 0
    this.#one = Math.imul(this.#one ^ low, 0x01000193) ^ high
    this.#other = Math.imul(
      this.#other ^ (this.#other >>> 15) ^ low ^ Math.imul(high, 0x85ebca6b),
      0xc2b2ae35,
    )
  }
}

/** A number for each kind of event, made of its name, so that a new kind changes no old digest. */
const CODES = new Map<string, number>()

function newCode(type: string): number {
  let code = 0x811c9dc5
  for (let place = 0; place < type.length; place++) {
    code = Math.imul(code ^ type.charCodeAt(place), 0x01000193)
  }
  CODES.set(type, code)
  return code
}

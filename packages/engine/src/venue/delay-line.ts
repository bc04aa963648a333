import type { Instant } from '#values/instant.ts'

/**
 * A queue of delayed items: they arrive in the order they were sent, each after its delay, together if due together.
 */
export class DelayLine<Item> {
  readonly #delayMs: () => number
  readonly #arrive: (items: readonly Item[], at: Instant) => void
  #travelling: { item: Item; due: number }[] = []
  #lastDue = 0

  /** Each delay is drawn when the item is sent. */
  constructor(delayMs: () => number, arrive: (items: readonly Item[], at: Instant) => void) {
    this.#delayMs = delayMs
    this.#arrive = arrive
  }

  isEmpty(): boolean {
    return this.#travelling.length === 0
  }

  /** Sends an item; without delay and with an empty queue it arrives at once. */
  put(item: Item, at: Instant): void {
    const due = Math.max(this.#lastDue, at + this.#delayMs())
    if (due <= at && this.#travelling.length === 0) {
      this.#arrive([item], at)
      return
    }
    this.#lastDue = due
    this.#travelling.push({ item, due })
  }

  /** Delivers the items that are due. */
  release(at: Instant): void {
    const first = this.#travelling[0]
    if (first === undefined || first.due > at) return
    const due: Item[] = []
    for (const one of this.#travelling) {
      // Each is due at the same time as the one before it or later.
      if (one.due > at) break
      due.push(one.item)
    }
    this.#travelling = this.#travelling.slice(due.length)
    this.#arrive(due, at)
  }
}

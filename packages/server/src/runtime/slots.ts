/**
 * Holds things by a number until they are taken out; a number is free again then. A map would do, but the tables that it
 * outgrows point at each other: once one is old, all that passes through grows old with it and is collected late.
 */
export class Slots<Item extends object> {
  readonly #items: (Item | null)[] = []
  readonly #free: number[] = []

  put(item: Item): number {
    const slot = this.#free.pop() ?? this.#items.length
    this.#items[slot] = item
    return slot
  }

  /** Null when nothing is there, or no longer. */
  take(slot: number): Item | null {
    const item = this.#items[slot] ?? null
    if (item === null) return null
    this.#items[slot] = null
    this.#free.push(slot)
    return item
  }

  takeAll(): Item[] {
    this.#free.length = 0
    return this.#items.splice(0).filter((item) => item !== null)
  }
}

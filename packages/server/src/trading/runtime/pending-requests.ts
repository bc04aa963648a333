/**
 * Requests that wait for their answer, by slot number; slots are reused. Not a Map: its outgrown hash tables reference
 * each other, so once one reaches the old generation, everything that passes through is collected late.
 */
export class PendingRequests<Item extends object> {
  readonly #items: (Item | null)[] = []
  readonly #free: number[] = []

  put(item: Item): number {
    const slot = this.#free.pop() ?? this.#items.length
    this.#items[slot] = item
    return slot
  }

  /** Null for an empty slot. */
  remove(slot: number): Item | null {
    const item = this.#items[slot] ?? null
    if (item === null) return null
    this.#items[slot] = null
    this.#free.push(slot)
    return item
  }

  removeAll(): Item[] {
    this.#free.length = 0
    return this.#items.splice(0).filter((item) => item !== null)
  }
}

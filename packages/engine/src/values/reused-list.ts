/**
 * A list that is filled and emptied again and again. It keeps its storage, which an array that is popped until it is
 * empty gives back.
 */
export class ReusedList<Item> {
  readonly #items: Item[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  push(item: Item): void {
    this.#items[this.#size] = item
    this.#size += 1
  }

  /** An index below the size. */
  at(index: number): Item {
    // There is an item at every index below the size.
    return this.#items[index] as Item
  }

  clear(): void {
    this.#size = 0
  }
}

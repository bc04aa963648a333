/**
 * Functions that are called one after another. One that throws does not keep the others, or the caller, from what comes
 * next; its fault is reported once until it works again.
 */
export class Listeners<Args extends readonly unknown[]> {
  readonly #listeners = new Set<(...args: Args) => void>()
  readonly #failing = new WeakSet<(...args: Args) => void>()
  readonly #onFault: (fault: unknown) => void

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault
  }

  get size(): number {
    return this.#listeners.size
  }

  add(listener: (...args: Args) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  call(...args: Args): void {
    for (const listener of this.#listeners) {
      try {
        listener(...args)
        this.#failing.delete(listener)
      } catch (fault) {
        if (!this.#failing.has(listener)) this.#onFault(fault)
        this.#failing.add(listener)
      }
    }
  }
}

import { type DeskChange, Listeners } from '@binnacle/engine'

/** The listeners of a desk's changes. */
export class ChangeListeners {
  readonly #listeners: Listeners<[DeskChange]>
  #waiting: (() => void)[] = []

  constructor(onFault: (fault: unknown) => void) {
    this.#listeners = new Listeners(onFault)
  }

  add(listener: (change: DeskChange) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Computes the change only if somebody listens: a desk without listeners pays nothing. */
  publish(change: () => DeskChange): void {
    if (this.#listeners.size === 0) return
    this.#listeners.call(change())
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  resolveNext(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

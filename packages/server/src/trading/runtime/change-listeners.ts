import type { DeskChange } from '@binnacle/engine'

/** The listeners of a desk's changes. */
export class ChangeListeners {
  readonly #listeners = new Set<(change: DeskChange) => void>()
  #waiting: (() => void)[] = []

  add(listener: (change: DeskChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Computes the change only if somebody listens: a desk without listeners pays nothing. */
  publish(change: () => DeskChange): void {
    if (this.#listeners.size === 0) return
    const published = change()
    for (const listener of this.#listeners) listener(published)
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  resolveNext(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

import type { StrategyId } from '@binnacle/engine'
import type { StrategyUpdate } from '#child/protocol.ts'
import type { CustomStrategyProxy } from './custom-strategy-proxy.ts'
import type { CustomTerms } from './custom-terms.ts'

/** The updates of one custom strategy from one turn of the engine thread. */
export interface CustomStrategyUpdates {
  readonly strategy: StrategyId
  /** Increases with every start and every change of settings. */
  readonly run: number
  readonly terms: CustomTerms
  readonly updates: readonly StrategyUpdate[]
}

/** Collects updates of custom strategies on the engine thread and posts them once per turn, so quotes of a turn are merged. */
export class CustomUpdateQueue {
  readonly #post: (updates: readonly CustomStrategyUpdates[]) => void
  readonly #runs = new WeakMap<CustomStrategyProxy, number>()
  readonly #due = new Set<CustomStrategyProxy>()
  #lastRun = 0

  constructor(post: (updates: readonly CustomStrategyUpdates[]) => void) {
    this.#post = post
  }

  add(proxy: CustomStrategyProxy): void {
    if (this.#due.size === 0) setImmediate(() => this.#send())
    this.#due.add(proxy)
  }

  #send(): void {
    const proxies = [...this.#due]
    this.#due.clear()
    const updates = proxies.flatMap((proxy) => this.#updatesOf(proxy))
    if (updates.length > 0) this.#post(updates)
  }

  #updatesOf(proxy: CustomStrategyProxy): CustomStrategyUpdates[] {
    const { strategy, terms } = proxy
    if (strategy === null) return []
    const run = this.#runs.get(proxy) ?? ++this.#lastRun
    this.#runs.set(proxy, run)
    return [{ strategy, run, terms, updates: proxy.take() }]
  }
}

import type { OrderTerms } from '#model/order.ts'
import type { StrategyId } from '#values/ids.ts'
import { ShortMap } from '#values/short-map.ts'

/** Each strategy's position in one instrument as the venue counts it: the initial position and its fills. */
export class VenueHoldings {
  readonly #lots = new ShortMap<StrategyId, number>()

  /** Sets the initial position of a strategy; ignored once the venue has one. */
  setInitial(strategy: StrategyId, lots: number): void {
    if (!this.#lots.has(strategy)) this.#lots.set(strategy, lots)
  }

  addFill({ strategy, side }: OrderTerms, lots: number): void {
    this.#lots.set(strategy, (this.#lots.get(strategy) ?? 0) + (side === 'BUY' ? lots : -lots))
  }

  /** Returns how many of the lots an order may fill; a reduce-only order fills no more than it reduces. */
  maxFill({ strategy, side, reduceOnly }: OrderTerms, lots: number): number {
    if (!reduceOnly) return lots
    const held = this.#lots.get(strategy) ?? 0
    return Math.max(0, Math.min(lots, side === 'BUY' ? -held : held))
  }
}

import type { OrderTerms } from '#orders/order.ts'
import type { StrategyId } from '#values/ids.ts'
import { ShortMap } from '#values/short-map.ts'

/** What each strategy holds of one instrument, as its venue reckons: what it was told at first, and its fills since. */
export class VenueHoldings {
  readonly #lots = new ShortMap<StrategyId, number>()

  /** Counts for a strategy of which nothing is known yet; from then on the venue knows before it is told. */
  tell(strategy: StrategyId, lots: number): void {
    if (!this.#lots.has(strategy)) this.#lots.set(strategy, lots)
  }

  noteFill({ strategy, side }: OrderTerms, lots: number): void {
    this.#lots.set(strategy, (this.#lots.get(strategy) ?? 0) + (side === 'BUY' ? lots : -lots))
  }

  /** Returns how much of so many lots an order may fill: one that is reduce-only no more than it reduces. */
  mostOf({ strategy, side, reduceOnly }: OrderTerms, lots: number): number {
    if (!reduceOnly) return lots
    const held = this.#lots.get(strategy) ?? 0
    return Math.max(0, Math.min(lots, side === 'BUY' ? -held : held))
  }
}

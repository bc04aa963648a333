import type { OrderTerms } from '#orders/order.ts'
import type { OrderId, StrategyId } from '#values/ids.ts'
import { ShortMap } from '#values/short-map.ts'

/** Far more than can be on their way when a desk that was halted tells its orders again. */
const IDS_KEPT = 10_000

/** What each strategy holds of one instrument, as its venue reckons: what it was told at first, and its fills since. */
export class VenueHoldings {
  readonly #lots = new ShortMap<StrategyId, number>()
  readonly #had = new ShortMap<OrderId, true>()

  /** Says so the first time only: an order told again, its fills said but not heard yet, would count twice. */
  isNew(id: OrderId): boolean {
    if (this.#had.has(id)) return false
    this.#had.add(id, true)
    if (this.#had.size > IDS_KEPT) this.#had.deleteFirst()
    return true
  }

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

import type { InstrumentKind } from '#model/instrument.ts'
import type { OrderTerms } from '#model/order.ts'
import type { StrategyId } from '#values/ids.ts'
import { ShortMap } from '#values/short-map.ts'

/** Each strategy's position in one instrument as the venue counts it: the initial position and its fills. */
export class VenueHoldings {
  readonly #isSpot: boolean
  readonly #lots = new ShortMap<StrategyId, number>()

  constructor(kind: InstrumentKind) {
    this.#isSpot = kind === 'SPOT'
  }

  /** Sets the initial position of a strategy; ignored once the venue has one. */
  setInitial(strategy: StrategyId, lots: number): void {
    if (!this.#lots.has(strategy)) this.#lots.set(strategy, lots)
  }

  /** The positions that are not flat. */
  *open(): Iterable<readonly [StrategyId, number]> {
    for (const [strategy, lots] of this.#lots) if (lots !== 0) yield [strategy, lots]
  }

  addFill({ strategy, side }: OrderTerms, lots: number): void {
    this.#lots.set(strategy, (this.#lots.get(strategy) ?? 0) + (side === 'BUY' ? lots : -lots))
  }

  /**
   * Returns how many of the lots an order may fill: a reduce-only order no more than it reduces, a spot sell no more than
   * is held.
   */
  maxFill({ strategy, side, reduceOnly }: OrderTerms, lots: number): number {
    if (!reduceOnly && !(this.#isSpot && side === 'SELL')) return lots
    const held = this.#lots.get(strategy) ?? 0
    return Math.max(0, Math.min(lots, side === 'BUY' ? -held : held))
  }
}

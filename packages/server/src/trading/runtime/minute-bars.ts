import {
  type Bar,
  type BarBuilder,
  createBarBuilder,
  type Instant,
  type InstrumentId,
  type MarketTick,
} from '@binnacle/engine'

/** A finished minute of one instrument. */
export type MinuteBar = Bar & { readonly instrument: InstrumentId }

/** Builds minute bars of every instrument from its trades, whether or not a strategy uses them. */
export class MinuteBars {
  readonly #builders = new Map<InstrumentId, BarBuilder>()
  #finished: MinuteBar[] = []

  add(tick: MarketTick): void {
    if (tick.type === 'trade') this.#builderOf(tick.instrument).trade(tick.at, tick.price, tick.size)
  }

  /** Returns the bars that ended by then and were not returned before. */
  takeFinished(at: Instant): readonly MinuteBar[] {
    for (const builder of this.#builders.values()) builder.advance(at)
    return this.#finished.splice(0)
  }

  #builderOf(instrument: InstrumentId): BarBuilder {
    const known = this.#builders.get(instrument)
    if (known !== undefined) return known
    const builder = createBarBuilder(['1m'], (bar) => this.#finished.push({ ...bar, instrument }))
    this.#builders.set(instrument, builder)
    return builder
  }
}

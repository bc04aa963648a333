import type { QuoteTick } from '#model/tick.ts'
import type { Instant } from '#values/instant.ts'
import { type Price, priceFromTicks } from '#values/price.ts'

/** The latest bid and ask of every instrument by index, with their sizes: soft state, rebuilt from the feed. */
export interface Marks {
  readonly bid: Float64Array
  readonly ask: Float64Array
  readonly bidSize: Float64Array
  readonly askSize: Float64Array
  readonly at: Float64Array
}

export interface Quote {
  readonly bid: Price
  readonly ask: Price
  readonly at: Instant
}

/** Creates empty marks for a number of instruments. */
export function createMarks(count: number): Marks {
  const column = () => new Float64Array(count)
  return { bid: column(), ask: column(), bidSize: column(), askSize: column(), at: column() }
}

/** Stores a quote without allocating. */
export function markQuote(marks: Marks, index: number, tick: QuoteTick): void {
  marks.bid[index] = tick.bid
  marks.ask[index] = tick.ask
  marks.bidSize[index] = tick.bidSize
  marks.askSize[index] = tick.askSize
  marks.at[index] = tick.at
}

/** Returns the instrument's quote, or null before the first. */
export function quoteAt(marks: Marks, index: number): Quote | null {
  // `markQuote` stored the time of a checked tick; 0 stands for none.
  const at = (marks.at[index] ?? 0) as Instant
  if (at === 0) return null
  return { bid: priceFromTicks(marks.bid[index] ?? 0), ask: priceFromTicks(marks.ask[index] ?? 0), at }
}

/** Returns bid plus ask of the instrument, which is twice the mid price; 0 before the first quote. */
export function bidPlusAsk({ bid, ask }: Pick<Marks, 'bid' | 'ask'>, index: number): number {
  return (bid[index] ?? 0) + (ask[index] ?? 0)
}

/** Returns a copy for another thread. */
export function copyMarks(marks: Marks): Marks {
  return {
    bid: marks.bid.slice(),
    ask: marks.ask.slice(),
    bidSize: marks.bidSize.slice(),
    askSize: marks.askSize.slice(),
    at: marks.at.slice(),
  }
}

/** Loads marks from a copy. */
export function loadMarks(marks: Marks, from: Marks): void {
  marks.bid.set(from.bid)
  marks.ask.set(from.ask)
  marks.bidSize.set(from.bidSize)
  marks.askSize.set(from.askSize)
  marks.at.set(from.at)
}

import type { InstrumentId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Price } from '#values/price.ts'
import type { Quantity } from '#values/quantity.ts'
import type { Interval } from './interval.ts'

export type Side = 'BUY' | 'SELL'

/** The best bid and ask of one instrument. */
export interface QuoteTick {
  readonly kind: 'tick'
  readonly type: 'quote'
  readonly at: Instant
  readonly instrument: InstrumentId
  readonly bid: Price
  readonly ask: Price
  readonly bidSize: Quantity
  readonly askSize: Quantity
}

/** A trade between others, with the side that took liquidity. */
export interface TradeTick {
  readonly kind: 'tick'
  readonly type: 'trade'
  readonly at: Instant
  readonly instrument: InstrumentId
  readonly price: Price
  readonly size: Quantity
  readonly aggressor: Side
}

/** A finished bar; `at` is its end. Daily bars warm up value at risk. */
export interface BarTick {
  readonly kind: 'tick'
  readonly type: 'bar'
  readonly at: Instant
  readonly instrument: InstrumentId
  readonly interval: Interval
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
  readonly volume: Quantity
}

/** Every kind of market data. */
export type MarketTick = QuoteTick | TradeTick | BarTick

/** A source of ticks: simulated, recorded or live. */
export interface Feed {
  /** Passes each tick on until the returned function is called. */
  start(onTick: (tick: MarketTick) => void): () => void
}

export function oppositeOf(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY'
}

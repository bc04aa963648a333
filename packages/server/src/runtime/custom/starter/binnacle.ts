/**
 * What a custom strategy can use. A module exports a function `createStrategy`; it is called once, before the first
 * bar, and returns what listens. Prices are in quote currency, quantities in base currency, times in milliseconds
 * since 1970. The module runs in a process of its own: it has no network, no packages and no files but those of its
 * folder, which it can import.
 */
export type CreateStrategy = (setting: Setting) => Strategy

/** What the strategy was configured with. */
export interface Setting {
  /** The strategy's id, such as `S-4`. */
  readonly strategy: string
  /** What it trades; the first is meant wherever an instrument is left out. */
  readonly instruments: readonly Instrument[]
  /** How long a bar is. */
  readonly intervalMs: number
  /** The `parameters` of the configuration, as they were given. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface Instrument {
  /** Such as `BTCUSDT`, or `BTCUSDT.BYBIT` on another venue than the primary one. */
  readonly id: string
  readonly venue: string
  readonly base: string
  readonly quote: string
  /** The smallest step of a price. Prices are rounded to the nearest. */
  readonly tickSize: number
  /** The smallest step of a quantity. Quantities are rounded down. */
  readonly lotSize: number
  /** An order for less is not sent. */
  readonly minQuantity: number
}

/** Each is called in turn and must return before the time is up: no promises, no timers. */
export interface Strategy {
  /** A bar is finished. While `desk.isLive` is false it is from the past, told to learn from: orders are not sent. */
  onBar?(bar: Bar, desk: Desk): void
  /** The best prices changed. A strategy that is slower than the market hears only the latest of them. */
  onQuote?(quote: Quote, desk: Desk): void
}

export interface Bar {
  readonly instrument: string
  readonly start: number
  readonly end: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export interface Quote {
  readonly instrument: string
  readonly bid: number
  readonly ask: number
}

/** What is true now, and where orders are asked for. They pass the same risk checks as any other. */
export interface Desk {
  /** The time of the market; `Date.now()` says the same. */
  readonly now: number
  readonly isLive: boolean
  /** The best prices, 0 while there is no quote. */
  bid(instrument?: string): number
  ask(instrument?: string): number
  /** What this strategy holds, long above zero. */
  position(instrument?: string): number
  /** This strategy's working orders. */
  orders(): readonly Order[]
  /** The quantity that an amount of quote currency buys now, 0 when that is below the least. */
  quantityFor(value: number, instrument?: string): number
  buy(quantity: number, terms?: Terms): void
  sell(quantity: number, terms?: Terms): void
  /** Asks to hold this quantity, by a market order for what is missing; working orders count. */
  target(quantity: number, instrument?: string): void
  cancel(order: string): void
}

export interface Order {
  readonly id: string
  readonly instrument: string
  readonly side: 'BUY' | 'SELL'
  /** Null at the market. */
  readonly price: number | null
  readonly quantity: number
  readonly filled: number
}

export interface Terms {
  readonly instrument?: string
  /** A limit; left out, the order goes at the market. */
  readonly price?: number
  /** How long a limit order works; `GTC`, until it is cancelled, when left out. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  /** Only ever makes the position smaller. */
  readonly reduceOnly?: boolean
}

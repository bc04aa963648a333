/**
 * The API of custom strategies. A module exports a function `createStrategy`. It is called once, before the first bar,
 * and returns the callbacks. Prices are in quote currency, quantities in base currency, times in milliseconds since
 * 1970. The module runs in a separate process without network and packages; it can import only files of its folder.
 */
export type CreateStrategy = (setting: Setting) => Strategy

/** The configuration of the strategy. */
export interface Setting {
  /** The strategy's id, such as `S-4`. */
  readonly strategy: string
  /** The instruments it trades. The first is the default wherever an instrument is optional. */
  readonly instruments: readonly Instrument[]
  /** Length of a bar. */
  readonly intervalMs: number
  /** The JSON object `parameters` of the configuration. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface Instrument {
  /** Such as `BTCUSDT`, or `BTCUSDT.BYBIT` on another venue than the primary one. */
  readonly id: string
  readonly venue: string
  readonly base: string
  readonly quote: string
  /** Price step. Prices are rounded to the nearest step. */
  readonly tickSize: number
  /** Quantity step. Quantities are rounded down. */
  readonly lotSize: number
  /** Smaller orders are not sent. */
  readonly minQuantity: number
}

/** Callbacks are synchronous and must return within 1 s: no promises, no timers. Max 50 orders per callback, burst 200, then 5/s. */
export interface Strategy {
  /** Called at the end of a bar. While `desk.isLive` is false it is a warm-up bar and orders are not sent. */
  onBar?(bar: Bar, desk: Desk): void
  /** Called when the best prices change. A strategy that is slower than the market receives only the latest quote. */
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

/** The current state, and the methods that place orders. Orders pass the same risk checks as any other. */
export interface Desk {
  /** Market time; `Date.now()` returns the same. */
  readonly now: number
  readonly isLive: boolean
  /** The best prices; 0 while there is no quote. */
  bid(instrument?: string): number
  ask(instrument?: string): number
  /** Position of this strategy: above 0 long, below 0 short. Only perpetuals can be short. */
  position(instrument?: string): number
  /** This strategy's working orders. */
  orders(): readonly Order[]
  /** The quantity that an amount of quote currency buys now; 0 if below `minQuantity`. */
  quantityFor(value: number, instrument?: string): number
  buy(quantity: number, terms?: Terms): void
  sell(quantity: number, terms?: Terms): void
  /** Places a market order for the difference to this position; working orders count. */
  target(quantity: number, instrument?: string): void
  cancel(order: string): void
}

export interface Order {
  readonly id: string
  readonly instrument: string
  readonly side: 'BUY' | 'SELL'
  /** Null for a market order. */
  readonly price: number | null
  readonly quantity: number
  readonly filled: number
}

export interface Terms {
  readonly instrument?: string
  /** Limit price. Without it a market order is placed. */
  readonly price?: number
  /** `GTC` (until cancelled) by default. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  /** The order can only reduce the position. */
  readonly reduceOnly?: boolean
}

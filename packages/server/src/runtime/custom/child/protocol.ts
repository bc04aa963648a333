/** What server and child say to each other: one line of JSON each way. Prices are ticks, sizes lots, times ms. */

/** The first line to a child; it answers with reply 0 when the module is loaded. */
export interface Beginning {
  /** The module as a file URL. */
  readonly module: string
  /** Its folder as a file URL that ends in a slash: nothing else can be imported. */
  readonly folder: string
  readonly strategy: string
  readonly instruments: readonly InstrumentTold[]
  readonly intervalMs: number
  readonly parameters: Readonly<Record<string, unknown>>
  /** What `Math.random` draws from. */
  readonly seed: number
}

export interface InstrumentTold {
  readonly id: string
  readonly venue: string
  readonly base: string
  readonly quote: string
  /** A tick and a lot in units of 10⁻⁸. */
  readonly tickUnits: number
  readonly lotUnits: number
  readonly minLots: number
}

/** What a strategy heard since it last answered, and what is true now. */
export interface Heard {
  readonly now: number
  readonly isLive: boolean
  readonly bars: readonly BarTold[]
  /** Slots whose quote changed. */
  readonly quoted: readonly number[]
  readonly desk: DeskTold
}

export interface Question extends Heard {
  readonly number: number
}

export interface BarTold {
  readonly slot: number
  readonly start: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** By slot. */
export interface DeskTold {
  readonly bids: readonly number[]
  readonly asks: readonly number[]
  readonly positions: readonly number[]
  readonly orders: readonly OrderTold[]
}

export interface OrderTold {
  readonly id: string
  readonly slot: number
  readonly side: 'BUY' | 'SELL'
  readonly price: number | null
  readonly quantity: number
  readonly filled: number
}

/** The one answer to a question. */
export interface Reply {
  readonly number: number
  readonly intents: readonly IntentTold[]
  /** What the module printed. */
  readonly said: readonly string[]
  /** Said once, in reply 0. */
  readonly hearsQuotes?: boolean
  readonly failure?: FailureTold
}

export type IntentTold =
  | {
      readonly type: 'place'
      readonly slot: number
      readonly side: 'BUY' | 'SELL'
      readonly lots: number
      readonly wish: WishTold
    }
  | { readonly type: 'target'; readonly slot: number; readonly lots: number }
  | { readonly type: 'cancel'; readonly orderId: string }

export interface WishTold {
  readonly price: number | null
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  readonly reduceOnly?: boolean
}

export interface FailureTold {
  readonly message: string
  /** File and line, such as `mine.ts:12`, when the failure names one of the folder's. */
  readonly where: string | null
}

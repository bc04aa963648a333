/** The protocol between server and child: one line of JSON each way. Prices in ticks, sizes in lots, times in ms. */

/** The first line to a child. It sends reply 0 once the module is loaded. */
export interface StartMessage {
  /** The module as a file URL. */
  readonly module: string
  /** Its folder as a file URL ending in a slash. Only files in it can be imported. */
  readonly folder: string
  readonly strategy: string
  readonly instruments: readonly InstrumentSpec[]
  readonly intervalMs: number
  readonly parameters: Readonly<Record<string, unknown>>
  /** Seed of `Math.random`. */
  readonly seed: number
}

export interface InstrumentSpec {
  readonly id: string
  readonly venue: string
  readonly base: string
  readonly quote: string
  /** Tick and lot size in units of 10⁻⁸. */
  readonly tickUnits: number
  readonly lotUnits: number
  readonly minLots: number
}

/** What happened since the last reply, and the current state of the desk. */
export interface StrategyUpdate {
  readonly now: number
  readonly isLive: boolean
  readonly bars: readonly BarMessage[]
  /** Instruments whose quote changed, by slot. */
  readonly quotedSlots: readonly number[]
  readonly desk: DeskSnapshot
}

export interface UpdateRequest extends StrategyUpdate {
  readonly number: number
}

export interface BarMessage {
  readonly slot: number
  readonly start: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Quotes and positions by slot: the index of the instrument in the start message. */
export interface DeskSnapshot {
  readonly bids: readonly number[]
  readonly asks: readonly number[]
  readonly positions: readonly number[]
  readonly orders: readonly OrderSnapshot[]
}

export interface OrderSnapshot {
  readonly id: string
  readonly slot: number
  readonly side: 'BUY' | 'SELL'
  readonly price: number | null
  readonly quantity: number
  readonly filled: number
}

/** The reply to the start message (number 0) or to an update. */
export interface Reply {
  readonly number: number
  readonly intents: readonly IntentMessage[]
  /** Lines that the module printed. */
  readonly printed: readonly string[]
  /** Only in reply 0: whether the module has `onQuote`. */
  readonly wantsQuotes?: boolean
  readonly failure?: FailureMessage
}

export type IntentMessage =
  | {
      readonly type: 'place'
      readonly slot: number
      readonly side: 'BUY' | 'SELL'
      readonly lots: number
      readonly options: OrderOptions
    }
  | { readonly type: 'target'; readonly slot: number; readonly lots: number }
  | { readonly type: 'cancel'; readonly orderId: string }

export interface OrderOptions {
  readonly price: number | null
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  readonly reduceOnly?: boolean
}

export interface FailureMessage {
  readonly message: string
  /** File and line in the module's folder, such as `mine.ts:12`, if known. */
  readonly where: string | null
}

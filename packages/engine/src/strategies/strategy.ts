import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Interval } from '#market/interval.ts'
import type { Side } from '#market/tick.ts'
import type { TimeInForce } from '#orders/order.ts'
import type { InstrumentId, OrderId, StrategyId } from '#values/ids.ts'
import type { Parameter, Settings } from './parameter.ts'

/** A kind of strategy: what it is for, what can be set, and how one is made. */
export interface StrategyKind {
  /** The name on the wire, such as `mean_reversion`. */
  readonly type: string
  readonly title: string
  /** What it does, in a few sentences for the person who chooses it. */
  readonly about: string
  readonly earnsWhen: string
  readonly losesWhen: string
  readonly parameters: readonly Parameter[]
  /** Makes one of settings that passed `readSettings`; settings that contradict one another are told in a sentence. */
  create(settings: Settings, instruments: Instruments): Strategy | SettingsConflict
}

/** Two settings, each within its bounds, that make no sense together. */
export interface SettingsConflict {
  readonly parameter: string
  /** Ends a sentence that begins with the parameter: `must be below slow_bars (20)`. */
  readonly must: string
}

/**
 * A strategy at work. It reads the desk it is shown and leaves its intents there; it reads no clock, draws no chance
 * and keeps nothing but soft state. It speaks of its instruments by their place in `instruments`, its slots.
 */
export interface Strategy {
  readonly instruments: readonly InstrumentId[]
  /** The bars it hears, of all its instruments; null when it hears quotes only. */
  readonly interval: Interval | null
  /** How many bars it must have heard before it knows enough to act. */
  readonly warmUpBars: number
  /** Takes a finished bar in. While `desk.isLive` is false it is from the past: intents are dropped. */
  onBar?(bar: StrategyBar, desk: StrategyDesk): void
  /** Takes note that the quote of a slot changed. */
  onQuote?(slot: number, desk: StrategyDesk): void
  /**
   * Takes in rows of the first slot's bars, from `from` on, exactly as `onBar` would, as long as `onBar` would want
   * nothing with the position as it is; returns the first row that it did not take in, `to` when all were quiet.
   */
  takeQuiet?(bars: BarColumns, from: number, to: number, desk: StrategyDesk): number
}

/** A finished bar in ticks and lots. One object is used again and again: nobody keeps it. */
export interface StrategyBar {
  slot: number
  /** The first millisecond of the bar. */
  start: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** A working order of the strategy's own. */
export interface OwnOrder {
  readonly id: OrderId
  readonly terms: { readonly instrument: InstrumentId; readonly side: Side }
  /** In ticks; null for a market order on its way. */
  readonly price: number | null
  readonly quantity: number
  readonly filled: number
  readonly isCancelRequested: boolean
}

/** What a strategy sees, and where it leaves what it wants. Prices are ticks, sizes lots, times milliseconds. */
export interface StrategyDesk {
  /** Who is shown it. */
  readonly strategy: StrategyId
  readonly now: number
  /** False while the past is told, to warm up. */
  readonly isLive: boolean
  /** Best prices, 0 while there is no quote. */
  bid(slot: number): number
  ask(slot: number): number
  /** When the quote came, 0 while there is none. */
  quotedAt(slot: number): number
  /** What the strategy holds, long above zero. */
  position(slot: number): number
  /** What its working orders would add to the position if all of them filled. */
  working(slot: number): number
  /** Its working orders in all its instruments. */
  orders(): readonly OwnOrder[]
  /** Returns the lots that an amount of quote currency buys at the present middle, 0 when that is below the minimum. */
  lotsFor(slot: number, value: number): number
  /** Wants an order: at the market when the price is null, else a limit. */
  place(slot: number, side: Side, lots: number, terms: OrderWish): void
  cancel(order: OrderId): void
  /** Wants to hold this many lots, by a market order for what is missing, working orders counted in. */
  target(slot: number, lots: number): void
}

/** How an order is meant; the price is in ticks. */
export interface OrderWish {
  readonly price: number | null
  readonly timeInForce?: TimeInForce
  readonly reduceOnly?: boolean
}

import type { BarReplayOptions } from '#market/bar-path.ts'
import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Interval } from '#model/interval.ts'
import type { OrderOptions } from '#model/strategy.ts'
import type { Side } from '#model/tick.ts'
import type { InstrumentId, OrderId, StrategyId } from '#values/ids.ts'
import type { Parameter, Settings } from './parameter.ts'

/** A kind of strategy: its texts, its parameters and its factory. */
export interface StrategyKind {
  /** The name on the wire, such as `mean_reversion`. */
  readonly type: string
  readonly title: string
  /** What it does, in a few sentences for its user. */
  readonly about: string
  readonly earnsWhen: string
  readonly losesWhen: string
  readonly parameters: readonly Parameter[]
  /** Creates a strategy from settings that passed `readSettings`, or returns a conflict between them. */
  create(settings: Settings, instruments: Instruments): Strategy | SettingsConflict
}

/** Two settings, each valid alone, that contradict one another. */
export interface SettingsConflict {
  readonly parameter: string
  /** Completes a sentence that begins with the parameter's label: `must be below Slow average (bars), 20`. */
  readonly requirement: string
}

/**
 * A running strategy. It reads its context and leaves intents there; it reads no clock, uses no random source and keeps
 * only soft state. It refers to its instruments by their index in `instruments`, the slot.
 */
export interface Strategy {
  readonly instruments: readonly InstrumentId[]
  /** The interval of the bars it receives for all its instruments; null if it receives quotes only. */
  readonly interval: Interval | null
  /** The number of bars it needs before it acts. */
  readonly warmUpBars: number
  /** Receives a finished bar. While `context.isLive` is false it is a warm-up bar and intents are dropped. */
  onBar?(bar: StrategyBar, context: StrategyContext): void
  /** Called when the quote of a slot has changed. */
  onQuote?(slot: number, context: StrategyContext): void
  /**
   * Returns the first row from `from` on, at most `to`, on whose path it may have an intent while none of its orders works
   * and its positions stay as they are. A backtest skips the rows before. `onQuote` must then allow that its intents are
   * dropped and the call is repeated.
   */
  findActingRow?(played: PlayedBars, from: number, to: number, context: StrategyContext): number
  /**
   * Returns whether it may have an intent at the quote of a slot in a quarter of a row, under the same conditions. Without
   * this, each quote of a row in which it may act is tried.
   */
  mayActAt?(played: PlayedBars, slot: number, at: QuarterOfRow, context: StrategyContext): boolean
  /** Returns the figures that it decides by, as they are now, for the record of its orders. Prices are decimals. */
  explain?(context: StrategyContext): Readonly<Record<string, number>>
  /**
   * Processes rows of the first slot's bars from `from` on exactly as `onBar` would, as long as it has no intent at the
   * current position. Returns the first row not processed; `to` if all were quiet. A strategy that cannot take a row
   * back may process the returned one as well and then ignores its `onBar`.
   */
  takeQuiet?(
    bars: BarColumns,
    from: number,
    to: number,
    context: StrategyContext,
    quotes: ClosingQuotes,
  ): number
}

/** The quotes at the close of bars, in ticks. The context shows those of the last bar that was played. */
export interface ClosingQuotes {
  bid(row: number): number
  ask(row: number): number
}

/** A finished bar in ticks and lots. One object is reused, so it must not be kept. */
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

/** A strategy's own working order. */
export interface OwnOrder {
  readonly id: OrderId
  readonly terms: { readonly instrument: InstrumentId; readonly side: Side }
  /** In ticks; null for a market order. */
  readonly price: number | null
  readonly quantity: number
  readonly filled: number
  readonly isCancelRequested: boolean
}

/** The bars of all slots, with the same starts, and the quotes on the path through them. */
export interface PlayedBars {
  readonly bars: readonly BarColumns[]
  readonly path: BarReplayOptions
}

/** A quarter of the path through a bar. */
export interface QuarterOfRow {
  row: number
  quarter: number
}

/** What a strategy reads, and where it leaves its intents. Prices are ticks, sizes lots, times milliseconds. */
export interface StrategyContext {
  /** The strategy whose context it is. */
  readonly strategy: StrategyId
  readonly now: number
  /** False during warm-up. */
  readonly isLive: boolean
  /** Best prices; 0 before the first quote. */
  bid(slot: number): number
  ask(slot: number): number
  /** The time of the quote; 0 before the first. */
  quotedAt(slot: number): number
  /** The strategy's position; long above zero. */
  position(slot: number): number
  /** The net quantity of its working orders. */
  working(slot: number): number
  /** Its working orders in all its instruments. */
  orders(): readonly OwnOrder[]
  /** Returns the lots that an amount of quote currency buys at the mid price; 0 below the minimum quantity. */
  lotsFor(slot: number, value: number): number
  /** Places an order: at the market if the price is null, else a limit. */
  place(slot: number, side: Side, lots: number, terms: OrderOptions): void
  cancel(order: OrderId): void
  /** Targets a position of this many lots by a market order for the difference, working orders included. */
  target(slot: number, lots: number): void
}

import type { Journal } from '#journal/journal.ts'
import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Command, PlaceOrder, TimerFired } from '#model/input.ts'
import type { CommandOrigin, JournalEntry } from '#model/journal-entry.ts'
import type { KeyedOrder } from '#model/order.ts'
import type { Refusal } from '#model/reasons.ts'
import type { MarketTick, TradeTick } from '#model/tick.ts'
import type { OrderPreview } from '#orders/preview.ts'
import type { HardState } from '#state/hard-state.ts'
import type { AcceptedCommand } from '#step/step-core.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import type { IdempotencyKey, Seq, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Result } from '#values/result.ts'
import type { Venue } from '#venue/venue.ts'
import type { DeskChange } from '#views/desk-change.ts'
import type { DeskViews } from '#views/desk-views.ts'
import type { LiveFigures } from '#views/live-figures.ts'
import type { OrderHistory } from '#views/order-history.ts'
import type { OrderTimeline } from '#views/order-timeline.ts'
import type { OrderView } from '#views/order-view.ts'
import type { StrategyLog } from '#views/strategy-log.ts'
import type { EngineViews } from '#views/views.ts'
import type { Engine } from './engine.ts'

/**
 * An engine as the server sees it: views, changes with a revision, and outcomes of commands. The client
 * of the embedded engine's worker and the desk of a NautilusTrader node implement it.
 */
export interface Desk {
  /** Executes a command. Resolves when its effects are durable and the views show them. */
  submit(command: Command, sender?: CommandSender): Promise<Outcome>
  /** Says what an order would do now, by the checks that would decide it. It places nothing. */
  preview(order: PlaceOrder): Promise<PreviewOutcome>
  /** The current state. */
  readonly views: DeskViews
  /** What is recorded about an order: why it was placed, and what became of it. */
  orderTimeline(order: OrderView): Promise<OrderTimeline>
  /** What a strategy did and what was done with it; an engine that records none leaves it out. */
  strategyLog?(strategy: StrategyId): Promise<StrategyLog>
  /** Finished orders older than those in the views. */
  readonly orderHistory: OrderHistory
  /** The kinds of strategies it can run. */
  readonly kinds: readonly StrategyKindRow[]
  /** Calls the listener after each change, before the views show the next one. Returns a function that removes it. */
  onChange(listener: (change: DeskChange) => void): () => void
  /** Resolves at the next change of the views. */
  changed(): Promise<void>
  /**
   * Calls the listener with the trades of all instruments, in their order, several times a second; `until` is the time up
   * to which they are complete, also when the list is empty. Returns a function that removes it.
   */
  onTrades(listener: (trades: readonly TradeTick[], until: Instant) => void): () => void
}

/** A kind of strategy as lists and forms show it. */
export type StrategyKindRow = Pick<
  StrategyKind,
  'type' | 'title' | 'about' | 'earnsWhen' | 'losesWhen' | 'parameters'
>

/** Who sends a command, for the audit record. */
export interface CommandSender {
  readonly by: string
  readonly requestId?: string
  readonly origin?: CommandOrigin
}

/** What the sender of a command receives: accepted, or refused with a reason. */
export type Outcome = AcceptedOutcome | { readonly ok: false; readonly reason: Refusal }

export interface AcceptedOutcome extends Omit<AcceptedCommand, 'repeats'> {
  /** The revision that shows its effect; null when nothing changed. */
  readonly revision: number | null
  /** The revision of the first answer, when the key was used before. */
  readonly repeats: number | null
}

/** A preview, or why such an order cannot be placed at all. */
export type PreviewOutcome = Result<OrderPreview, Refusal>

export interface Clock {
  now(): Instant
}

/** The ports of a desk; live, paper and backtest use different ones. */
export interface DeskPorts {
  readonly instruments: Instruments
  /** Creates the engine over recovered state. */
  readonly createEngine: (state: HardState) => Engine
  readonly clock: Clock
  readonly venue: Venue
  readonly journal: Journal
  /** Called for each durable entry after the views have applied it and before they apply the next. */
  readonly onEntry?: (entry: JournalEntry, views: EngineViews) => void
  /** Called with durable entries before their commands are answered. */
  readonly onEntries?: (entries: readonly JournalEntry[]) => void
  /** Finds the order of a key that is older than those in hard state. */
  readonly findKey?: (key: IdempotencyKey) => KeyedOrder | null
  /** Called when the desk halts itself. */
  readonly onHalt?: (cause: unknown) => void
  /** Called when the journal holds the halt that the desk recovered from. */
  readonly onRecovered?: () => void
  /** Whether the current halt survives a restart, so that a request to halt can be accepted. */
  readonly isHaltPersisted?: () => boolean
}

/** The embedded engine in its loop, with what its host needs to run it. */
export interface RunningDesk extends Pick<Desk, 'submit' | 'preview'> {
  /** Of the last durable entry, which the views show. */
  readonly seq: Seq
  /** Loads the engine's current marks and figures into the views and returns them: the same object at each call. */
  readViews(): EngineViews
  /** Yields every entry after the given one and then each new entry. */
  entriesAfter(seq: Seq): AsyncIterable<JournalEntry>
  /** Processes market ticks and timers. A halted desk ignores them. */
  accept(input: MarketTick | TimerFired): void
  computeLiveFigures(): LiveFigures
  /** Warms running strategies up with past bars. A new engine, as after a recovery, must be warmed up again. */
  warmUp(bars: BarColumns): void
  /** Returns the latest bars of running strategies, to warm them up after a restart. */
  getWarmUpBars(): BarColumns[]
  /** Why the desk halted itself, or null. */
  readonly haltReason: string | null
  /** Recovers from the journal after a halt. Trading stays HALTED until a person resumes it. */
  recover(): Promise<void>
  /** Saves hard state, so that the next start folds only later entries. */
  saveSnapshot(): Promise<void>
  /** Resolves when all inputs so far are durable. */
  idle(): Promise<void>
  close(): void
}

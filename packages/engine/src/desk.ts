import type { HardState } from '#hard-state.ts'
import type { Command, TimerFired } from '#input.ts'
import type { JournalEntry, Origin } from '#journal/entry.ts'
import type { Journal } from '#journal/journal.ts'
import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import type { MarketTick } from '#market/tick.ts'
import type { Refusal } from '#orders/reasons.ts'
import type { SoftFigures } from '#risk/soft-figures.ts'
import type { OrderId, Seq, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Venue } from '#venue/venue.ts'
import type { Views } from '#views/views.ts'
import type { Engine } from './engine.ts'

/** Trading as the server sees it; another engine can play it too. */
export interface Desk {
  /** Carries out a command; it resolves when what happened is durable and the views show it. */
  submit(command: Command, asker?: Asker): Promise<Outcome>
  /** What is true now. */
  readonly views: Views
  /** Yields every entry after the given one, and goes on as entries come. */
  entriesAfter(seq: Seq): AsyncIterable<JournalEntry>
}

/** Who sends a command, for the audit line. */
export interface Asker {
  readonly by: string
  readonly requestId?: string
  readonly origin?: Origin
}

/** Accepted with what happened, or refused with a reason. */
export type Outcome =
  | {
      readonly ok: true
      readonly orderId: OrderId | null
      /** The strategy that was added, when one was. */
      readonly strategy?: StrategyId
      /** What happened; null when nothing had to. */
      readonly entry: JournalEntry | null
      /** The entry of the first answer, when the key was used before. */
      readonly repeats: Seq | null
    }
  | { readonly ok: false; readonly reason: Refusal }

export interface Clock {
  now(): Instant
}

/** The world around a desk; live, paper and backtest hand it different ones. */
export interface DeskPorts {
  readonly instruments: Instruments
  /** Makes the engine over recovered state, warmed up as the host likes. */
  readonly createEngine: (state: HardState) => Engine
  readonly clock: Clock
  readonly venue: Venue
  readonly journal: Journal
  /** Sees each durable entry when the views have taken it in, and before they take in the next. */
  readonly onEntry?: (entry: JournalEntry, views: Views) => void
  /** Hears of durable entries before anyone is answered. */
  readonly onEntries?: (entries: readonly JournalEntry[]) => void
  /** Hears why the desk stopped itself. */
  readonly onHalt?: (cause: unknown) => void
}

/** The desk as its host runs it. */
export interface RunningDesk extends Desk {
  /** Takes in the market and the time. A halted desk does not listen. */
  accept(input: MarketTick | TimerFired): void
  soft(): SoftFigures
  /** Tells running strategies bars of the past; an engine that was made anew must hear of them again. */
  prime(bars: BarColumns): void
  /** Returns the latest bars that running strategies heard, to prime them with after a restart. */
  recentBars(): BarColumns[]
  /** Why the desk stopped itself, or null. */
  readonly haltedBecause: string | null
  /** Starts again from the journal after a halt; trading stays HALTED until a person says otherwise. */
  recover(): Promise<void>
  /** Keeps hard state, so that the next start folds only what comes later. */
  saveSnapshot(): Promise<void>
  /** Resolves when everything taken in so far is durable. */
  idle(): Promise<void>
  close(): void
}

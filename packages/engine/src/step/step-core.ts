import type { DailyCloses } from '#market/daily-closes.ts'
import type { Event } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { Refusal } from '#model/reasons.ts'
import type { RiskContext } from '#risk/exposure.ts'
import type { Valuation } from '#risk/valuation.ts'
import type { OrderId, PositionId, Seq, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { VenueRequest } from '#venue/venue.ts'

/** What the handlers of inputs work on: hard state, soft state and the draft of the current step. */
export interface Core extends RiskContext {
  readonly valuation: Valuation
  readonly closes: DailyCloses
  /** When equity was last sampled, and since when a position has no quote. */
  readonly sampled: { at: Instant | null; unmarkedSince: Instant | null }
  /** When the emergency control last tried to close what is open. */
  readonly closeAttempt: { at: Instant | null }
  /** When an exit price last closed a position, for positions that are still open. */
  readonly exitAttempts: Map<PositionId, Instant>
  readonly draft: Draft
  /** A backtest neither freezes events, which nobody else holds, nor records the reasons of orders. */
  readonly isBacktest: boolean
}

interface Draft {
  at: Instant
  seq: Seq
  events: Event[]
  outbox: VenueRequest[]
  /** Which soft state is out of date. */
  stale: StaleSoftState
}

/** Which soft state an event makes out of date: nothing, the valuation, or subscriptions and settings as well. */
export type StaleSoftState = 'none' | 'valuation' | 'all'

/** What one input led to: the journal entry, the requests to venues and the answer to the sender. */
export interface StepResult {
  readonly entry: JournalEntry | null
  readonly outbox: readonly VenueRequest[]
  readonly answer: CommandAnswer | null
}

/** The engine's reply to a command. The desk adds the revision that shows its effect (`Outcome`). */
export type CommandAnswer = AcceptedCommand | { readonly ok: false; readonly reason: Refusal }

export interface AcceptedCommand {
  readonly ok: true
  /** The order that was placed, if any. */
  readonly orderId: OrderId | null
  /** The strategy that was added, if any. */
  readonly strategy?: StrategyId
  /** The entry of the first answer, when the command's key was used before. */
  readonly repeats: Seq | null
}

/** Most ticks lead to nothing. They all share this step, so they allocate nothing. */
export const EMPTY_RESULT: StepResult = Object.freeze({
  entry: null,
  outbox: Object.freeze([]),
  answer: null,
})

export const DONE: AcceptedCommand = Object.freeze({ ok: true, orderId: null, repeats: null })

import type {
  BarColumns,
  Command,
  CommandSender,
  Instant,
  LinkSettings,
  LinkStatus,
  LiveFigures,
  Outcome,
  PlaceOrder,
  PreviewOutcome,
  Snapshot,
  TestStep,
  VenueId,
} from '@binnacle/engine'
import type { CustomStrategyUpdates } from '@binnacle/sandbox'
import type { PackedTrades } from './trade-batch.ts'

/** The desk's files and folders in the data folder. */
export interface DeskPaths {
  journalFile: string
  /** Journal entries that no snapshot needs any more. */
  archiveFolder: string
  /** Finished orders, for lists longer than those of the views. */
  ordersFile: string
  /** The simulated market's prices. */
  marketFile: string
  /** The latest bars of running strategies. */
  barsFile: string
  /** The user's own strategies. */
  strategiesFolder: string
}

/** Options of the engine thread. */
export interface DeskWorkerOptions {
  paths: DeskPaths
  seed: number
  /** Recorded daily bars, the input of value at risk. */
  daily: readonly BarColumns[]
  /** Recorded bars that warm running strategies up. */
  warmUpBars?: readonly BarColumns[]
  /** Settings of connections that differ from the default. */
  linkSettings?: ReadonlyMap<VenueId, LinkSettings>
}

export interface Submission {
  id: number
  command: Command
  sender: CommandSender
}

/**
 * From the API thread to the engine thread. Whatever is sent per order is JSON text in both directions: a string crosses
 * threads at half the cost of the objects.
 */
export type ToDesk =
  /** Submissions as a JSON array. */
  | { kind: 'submit'; submissions: string }
  /** Its answer is a message of its own, since it waits for no entry. */
  | { kind: 'preview'; id: number; order: PlaceOrder }
  /** All recorded daily bars, sent again when more were recorded. */
  | { kind: 'daily-bars'; daily: readonly BarColumns[] }
  /** Recorded bars for running strategies. */
  | { kind: 'warm-up'; bars: readonly BarColumns[] }
  | { kind: 'configure-link'; venue: VenueId; settings: LinkSettings }
  /** Requests the status of all connections, or a test of one. */
  | { kind: 'links'; id: number }
  | { kind: 'test-link'; id: number; venue: VenueId }
  | { kind: 'close' }

/** What became of a submission, by its id. */
export type OutcomeMessage = { id: number; outcome: Outcome } | { id: number; failure: string }

/** From the engine thread to the API thread, in the order of the events. */
export type FromDesk =
  /** The complete hard state, sent once as the first message; encoded, as not all of it can be cloned. */
  | { kind: 'opened'; snapshot: Snapshot }
  /** The desk accepts commands. */
  | { kind: 'ready' }
  /** Durable entries, in the journal's text form with commas between, and a JSON array of the answers that waited for them. */
  | { kind: 'committed'; entries: string; answers: string }
  | { kind: 'previewed'; id: number; outcome: PreviewOutcome }
  | { kind: 'links'; id: number; links: readonly LinkStatus[] }
  | { kind: 'link-tested'; id: number; steps: readonly TestStep[] }
  /** Instead of `previewed` or `link-tested`. */
  | { kind: 'request-failed'; request: 'preview' | 'test-link'; id: number; failure: string }
  /** The figures after a step of the market, with all trades up to then. */
  | { kind: 'figures'; figures: LiveFigures; trades: PackedTrades; until: Instant }
  /** Updates of custom strategies, for their processes. */
  | { kind: 'custom'; updates: readonly CustomStrategyUpdates[] }
  /** Null when the desk works again. */
  | { kind: 'halted'; haltReason: string | null }
  /** A line for the log. */
  | { kind: 'log'; event: string; message: string }

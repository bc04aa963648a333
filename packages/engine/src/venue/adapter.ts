import type { VenueId } from '#model/instrument.ts'
import type { InstrumentId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Venue } from './venue.ts'

/** How an adapter reconnects to its venue, and the faults that a simulated venue injects. */
export interface LinkSettings {
  /** The wait before the first new try; it doubles with every try up to the maximum. */
  readonly reconnectAfterMs: number
  readonly reconnectMaxMs: number
  readonly faults: LinkFaults
}

export interface LinkFaults {
  /** Added to every message, in each direction. */
  readonly latencyMs: number
  /** How far the venue's clock is ahead of ours. */
  readonly clockSkewMs: number
  readonly isKeyRefused: boolean
  /** Instruments that the venue does not list. */
  readonly missing: readonly InstrumentId[]
  readonly isDropped: boolean
}

export const NO_FAULTS: LinkFaults = {
  latencyMs: 0,
  clockSkewMs: 0,
  isKeyRefused: false,
  missing: [],
  isDropped: false,
}

export const DEFAULT_LINK: LinkSettings = {
  reconnectAfterMs: 1_000,
  reconnectMaxMs: 60_000,
  faults: NO_FAULTS,
}

/** 'waiting': the connection was lost, and the next try is due later. */
export type LinkState = 'off' | 'connecting' | 'connected' | 'waiting'

/** The connection to one venue, as measured since the start of the engine. */
export interface LinkStatus {
  readonly venue: VenueId
  readonly mode: 'simulated' | 'live'
  readonly state: LinkState
  /** Tries since the connection was lost. */
  readonly tries: number
  readonly nextTryAt: Instant | null
  /** Times that a lost connection was restored. */
  readonly reconnects: number
  readonly lastMessageAt: Instant | null
  readonly messagesPerSecond: number
  /** How far the venue's clock was ahead at the last heartbeat. */
  readonly skewMs: number | null
  readonly latency: LatencyFigures
  /** The latest happenings, newest first. */
  readonly log: readonly LinkNote[]
}

/** Round trips of the last hour. */
export interface LatencyFigures {
  readonly p50: number | null
  readonly p95: number | null
  /** The median of each of the last 60 minutes, oldest first; null without a heartbeat. */
  readonly minutes: readonly (number | null)[]
  /** Round trips by duration: 20 steps of 10 ms, and a last one for all that took longer. */
  readonly histogram: readonly number[]
}

export interface LinkNote {
  readonly at: Instant
  readonly text: string
}

/** 'not-applicable': the venue has no equivalent. 'not-run': an earlier step failed that it needs. */
export type TestResult = 'passed' | 'failed' | 'not-applicable' | 'not-run'

export interface TestStep {
  readonly name: string
  readonly result: TestResult
  readonly detail: string
  /** Null for a step that exchanged no message. */
  readonly ms: number | null
}

/**
 * The connections to venues. Beyond a venue it reports a lost connection once, keeps reports that the venue sent
 * meanwhile in their order, reconnects with back-off by itself, and reports what the venue has at each connection.
 * Every adapter passes the cases of testkit/adapter-conformance.ts.
 */
export interface VenueAdapter extends Venue {
  links(at: Instant): readonly LinkStatus[]
  /** Applies settings to the connection of one venue, at once. */
  configure(venue: VenueId, settings: LinkSettings, at: Instant): void
  /** Tests a connection step by step. It changes nothing, whether the venue is connected or not. */
  test(venue: VenueId): Promise<readonly TestStep[]>
  /** Whether the venue sends prices of an instrument. */
  isListed(instrument: InstrumentId): boolean
}

import type { PositionId, Seq } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Event } from './event.ts'

/**
 * The version of the events' shapes. Since the first release shapes have only grown by optional fields and new events, so
 * every journal has version 1; an entry of a higher one, or an unknown event, was written by a newer Binnacle.
 */
export const ENTRY_VERSION = 1

/** When an event happened: its sequence number and its time. */
export interface Moment {
  readonly seq: Seq
  readonly at: Instant
}

/** Where a command came from, as the server states it. The engine only stores it. */
export interface CommandOrigin {
  /** The id of the call. */
  readonly action: string
  readonly role: string
  readonly address: string | null
  /** The position to be closed; the events name only the closing order. */
  readonly position?: PositionId
}

/** All events of one input, durable together or not at all. */
export interface JournalEntry extends Moment {
  readonly version: typeof ENTRY_VERSION
  /** Who sent the command that caused it, for the audit record. */
  readonly by: string | null
  readonly requestId: string | null
  /** The API call that caused it; absent for other causes and in older entries. */
  readonly origin?: CommandOrigin
  readonly events: readonly Event[]
}

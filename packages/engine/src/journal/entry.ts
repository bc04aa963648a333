import type { Event } from '#event.ts'
import type { PositionId, Seq } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'

/** The version of the events' shapes; older ones are brought up to it when they are read. */
export const ENTRY_VERSION = 1

/** When an event happened: its place in the world's order, and the time that explains it. */
export interface Moment {
  readonly seq: Seq
  readonly at: Instant
}

/** Where a command came from, in the words of whoever took it in. The engine only carries it. */
export interface Origin {
  /** The id of the call. */
  readonly action: string
  readonly role: string
  readonly address: string | null
  /** The position that was to be closed: the events name only the order that does it. */
  readonly position?: PositionId
}

/** All that one input caused, durable together or not at all. */
export interface JournalEntry extends Moment {
  readonly version: typeof ENTRY_VERSION
  /** Who asked, when a person's or program's command caused it: this entry is the audit line. */
  readonly by: string | null
  readonly requestId: string | null
  /** The call by which it was asked; none in what nobody asked for, and in older entries. */
  readonly origin?: Origin
  readonly events: readonly Event[]
}

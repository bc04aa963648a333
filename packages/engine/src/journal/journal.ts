import type { JournalEntry } from '#model/journal-entry.ts'
import type { Seq } from '#values/ids.ts'
import type { Snapshot } from './snapshot.ts'

/** The ordered list of entries: the only source of hard state. */
export interface Journal {
  /** Makes entries durable, all or none, in order. They survive a crash once it resolves. */
  append(entries: readonly JournalEntry[]): Promise<void>
  /** Yields the durable entries after the given one. A gap or damage is a Fault, never an end. */
  entriesAfter(after: Seq): AsyncIterable<JournalEntry>
  /** Saves a snapshot for the next start. */
  saveSnapshot(snapshot: Snapshot): Promise<void>
  latestSnapshot(): Promise<Snapshot | null>
}

import type { Seq } from '#values/ids.ts'
import type { JournalEntry } from './entry.ts'
import type { Snapshot } from './snapshot.ts'

/** The ordered list of what happened; it alone is the truth. */
export interface Journal {
  /** Makes entries durable, all or none, in their order; when it resolves they survive a crash. */
  append(entries: readonly JournalEntry[]): Promise<void>
  /** Yields the entries after the given one, to the last that is durable. A gap or damage is a Fault, never an end. */
  entriesAfter(after: Seq): AsyncIterable<JournalEntry>
  /** Keeps a snapshot from which start-up can begin. */
  saveSnapshot(snapshot: Snapshot): Promise<void>
  latestSnapshot(): Promise<Snapshot | null>
}

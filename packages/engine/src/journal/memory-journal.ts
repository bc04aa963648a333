import type { JournalEntry } from '#model/journal-entry.ts'
import { Fault } from '#values/fault.ts'
import type { Seq } from '#values/ids.ts'
import type { Journal } from './journal.ts'
import type { Snapshot } from './snapshot.ts'

/** Creates a journal in memory, for backtests and tests. */
export function createMemoryJournal(initial: readonly JournalEntry[] = []): Journal {
  const entries: JournalEntry[] = [...initial]
  let latest: Snapshot | null = null

  return {
    async append(added) {
      let next = (entries.at(-1)?.seq ?? 0) + 1
      for (const entry of added) {
        if (entry.seq !== next) throw new Fault('journal.gap', `entry ${entry.seq} where ${next} must follow`)
        next += 1
      }
      entries.push(...added)
    },
    async *entriesAfter(after: Seq) {
      const first = entries[0]?.seq ?? 1
      for (let index = Math.max(0, after + 1 - first); index < entries.length; index++) {
        const entry = entries[index]
        if (entry) yield entry
      }
    },
    async saveSnapshot(snapshot) {
      latest = snapshot
    },
    async latestSnapshot() {
      return latest
    },
  }
}

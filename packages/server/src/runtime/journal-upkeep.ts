import type { RunningDesk } from '@binnacle/engine'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import { moveToArchive } from '#storage/journal/move-to-archive.ts'
import type { OrderProjection } from './order-projection.ts'

/** A start folds at most about this many entries. */
const SNAPSHOT_EVERY_ENTRIES = 50_000

export interface UpkeepNeeds {
  desk: Pick<RunningDesk, 'saveSnapshot' | 'haltedBecause'>
  journal: JournalStore
  projection: OrderProjection
  note: (event: string, message: string) => void
  everyEntries?: number
}

/** Keeps start-up short and the journal small: a snapshot every so many entries, and what it makes old is archived. */
export class JournalUpkeep {
  readonly #needs: UpkeepNeeds
  #sinceSnapshot = 0
  #work: Promise<void> | undefined
  #isStopped = false

  constructor(needs: UpkeepNeeds) {
    this.#needs = needs
  }

  /** Counts durable entries, whatever they came of, and begins the work beside trading when it is due. */
  count(entries: number): void {
    this.#sinceSnapshot += entries
    if (this.#sinceSnapshot < (this.#needs.everyEntries ?? SNAPSHOT_EVERY_ENTRIES)) return
    if (this.#work !== undefined || this.#isStopped) return
    this.#work = this.#keep().finally(() => {
      this.#work = undefined
    })
  }

  /** Resolves when no work is under way. */
  async idle(): Promise<void> {
    await this.#work
  }

  /** Ends the work under way and takes the last snapshot, so that the next start has nothing to fold. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#work
    if (this.#sinceSnapshot > 0 && this.#needs.desk.haltedBecause === null) await this.#keep()
  }

  async #keep(): Promise<void> {
    const { desk, journal, projection, note } = this.#needs
    // Not in the turn in which commands wait for their answers.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      // The history first: a snapshot stands for entries whose finished orders are already written.
      projection.flush(true)
      this.#sinceSnapshot = 0
      await desk.saveSnapshot()
      const [, previous = 0] = journal.snapshotSeqs()
      await moveToArchive(journal, previous, () => this.#isStopped)
    } catch (fault) {
      // The journal goes on without: a start takes longer, and the next time tries again.
      note('journal.upkeep-failed', fault instanceof Error ? fault.message : String(fault))
    }
  }
}

import type { RunningDesk } from '@binnacle/engine'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import { moveToArchive } from '#storage/journal/move-to-archive.ts'
import type { OrderProjection } from './order-projection.ts'

/** A start folds at most about this many entries. */
const SNAPSHOT_EVERY_ENTRIES = 50_000

/** Fewer are not worth a file of their own, or a server that is often stopped would leave a crowd of small ones. */
const WORTH_A_FILE = 1000

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

  /** Takes up what a start finds: entries since the last snapshot, and old ones that the end before left no time for. */
  begin(sinceSnapshot: number): void {
    this.#run(() => this.#archive())
    this.count(sinceSnapshot)
  }

  /** Counts durable entries, whatever they came of, and begins the work beside trading when it is due. */
  count(entries: number): void {
    this.#sinceSnapshot += entries
    const isDue = this.#sinceSnapshot >= (this.#needs.everyEntries ?? SNAPSHOT_EVERY_ENTRIES)
    if (isDue && this.#work === undefined && !this.#isStopped) this.#run(() => this.#keep())
  }

  /** Resolves when no work is under way. */
  async idle(): Promise<void> {
    await this.#work
  }

  /** Ends the work under way and takes the last snapshot, so that the next start has nothing to fold. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#work
    if (this.#sinceSnapshot > 0 && this.#needs.desk.haltedBecause === null) this.#run(() => this.#keep())
    await this.#work
  }

  #run(work: () => Promise<void>): void {
    // Not in the turn in which commands wait for their answers.
    this.#work = new Promise((resolve) => setImmediate(resolve))
      .then(work)
      .catch((fault: Error) => this.#needs.note('journal.upkeep-failed', fault.message))
      .finally(() => {
        this.#work = undefined
      })
  }

  async #keep(): Promise<void> {
    const { desk, projection } = this.#needs
    // The history first: a snapshot stands for entries whose finished orders are already written.
    projection.flush(true)
    this.#sinceSnapshot = 0
    await desk.saveSnapshot()
    await this.#archive()
  }

  /** The journal keeps what the snapshot before the last needs, should the last one turn out damaged. */
  async #archive(): Promise<void> {
    const { journal, everyEntries = SNAPSHOT_EVERY_ENTRIES } = this.#needs
    const [, previous = 0] = journal.snapshotSeqs()
    if (previous - journal.base().seq < Math.min(WORTH_A_FILE, everyEntries)) return
    await moveToArchive(journal, previous, () => this.#isStopped)
  }
}

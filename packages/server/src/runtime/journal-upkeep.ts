import { setImmediate } from 'node:timers/promises'
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

/**
 * Keeps start-up short and the journal small: a snapshot every so many entries, and what it makes old is archived. The
 * archive takes its time beside trading and may fall behind; snapshots never wait for it.
 */
export class JournalUpkeep {
  readonly #needs: UpkeepNeeds
  #sinceSnapshot = 0
  #snapshot: Promise<void> | undefined
  #archiving: Promise<void> | undefined
  #isStopped = false

  constructor(needs: UpkeepNeeds) {
    this.#needs = needs
  }

  /** Takes up what a start finds: entries since the last snapshot, and old ones that the end before left no time for. */
  begin(sinceSnapshot: number): void {
    this.#beginArchiving()
    this.count(sinceSnapshot)
  }

  /** Counts durable entries, whatever they came of, and begins the work beside trading when it is due. */
  count(entries: number): void {
    this.#sinceSnapshot += entries
    const isDue = this.#sinceSnapshot >= (this.#needs.everyEntries ?? SNAPSHOT_EVERY_ENTRIES)
    if (isDue && !this.#isStopped) this.#beginSnapshot()
  }

  /** Resolves when no work is under way. */
  async idle(): Promise<void> {
    await this.#snapshot
    await this.#archiving
  }

  /** Ends the work under way and takes the last snapshot, so that the next start has nothing to fold. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.idle()
    if (this.#sinceSnapshot > 0 && this.#needs.desk.haltedBecause === null) this.#beginSnapshot()
    await this.idle()
  }

  #beginSnapshot(): void {
    this.#snapshot ??= this.#beside(() => this.#takeSnapshot()).finally(() => {
      this.#snapshot = undefined
      this.#beginArchiving()
    })
  }

  #beginArchiving(): void {
    this.#archiving ??= this.#beside(() => this.#archive()).finally(() => {
      this.#archiving = undefined
    })
  }

  /** Not in the turn in which commands wait for their answers. */
  #beside(work: () => Promise<void>): Promise<void> {
    return setImmediate()
      .then(work)
      .catch((fault: Error) => this.#needs.note('journal.upkeep-failed', fault.message))
  }

  async #takeSnapshot(): Promise<void> {
    const { desk, projection } = this.#needs
    // The history first: a snapshot stands for entries whose finished orders are already written.
    projection.flush(true)
    this.#sinceSnapshot = 0
    await desk.saveSnapshot()
  }

  /** The journal keeps what the snapshot before the last needs, should the last one turn out damaged. */
  async #archive(): Promise<void> {
    const { journal, everyEntries = SNAPSHOT_EVERY_ENTRIES } = this.#needs
    const previous = () => journal.snapshotSeqs()[1] ?? 0
    const isWorthIt = () => previous() - journal.base().seq >= Math.min(WORTH_A_FILE, everyEntries)
    while (isWorthIt() && !this.#isStopped) await moveToArchive(journal, previous(), () => this.#isStopped)
  }
}

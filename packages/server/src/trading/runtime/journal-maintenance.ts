import { setImmediate } from 'node:timers/promises'
import type { RunningDesk } from '@binnacle/engine'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import { moveToArchive } from '#storage/journal/move-to-archive.ts'
import type { OrderProjection } from './order-projection.ts'

/** A start replays at most about this many entries. */
const SNAPSHOT_EVERY_ENTRIES = 50_000

/** Prevents many small archive files on a server that is often stopped. */
const MIN_ARCHIVE_ENTRIES = 1000

export interface JournalMaintenanceOptions {
  desk: Pick<RunningDesk, 'saveSnapshot' | 'haltReason'>
  journal: JournalStore
  projection: OrderProjection
  onWarning: (event: string, message: string) => void
  everyEntries?: number
}

/**
 * Keeps start-up short and the journal small: takes a snapshot every so many entries and archives the entries it
 * replaces. Archiving runs in the background and may fall behind; snapshots never wait for it.
 */
export class JournalMaintenance {
  readonly #options: JournalMaintenanceOptions
  #sinceSnapshot = 0
  #snapshot: Promise<void> | undefined
  #archiving: Promise<void> | undefined
  #isStopped = false

  constructor(options: JournalMaintenanceOptions) {
    this.#options = options
  }

  /** Continues after a start: counts the entries since the last snapshot and archives what the last run left. */
  begin(sinceSnapshot: number): void {
    this.#beginArchiving()
    this.count(sinceSnapshot)
  }

  /** Counts durable entries and starts a snapshot in the background when it is due. */
  count(entries: number): void {
    this.#sinceSnapshot += entries
    const isDue = this.#sinceSnapshot >= (this.#options.everyEntries ?? SNAPSHOT_EVERY_ENTRIES)
    if (isDue && !this.#isStopped) this.#beginSnapshot()
  }

  /** Resolves when no background work is running. */
  async idle(): Promise<void> {
    await this.#snapshot
    await this.#archiving
  }

  /** Stops background work and takes a last snapshot, so that the next start has nothing to replay. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.idle()
    if (this.#sinceSnapshot > 0 && this.#options.desk.haltReason === null) this.#beginSnapshot()
    await this.idle()
  }

  #beginSnapshot(): void {
    this.#snapshot ??= this.#runInBackground(() => this.#takeSnapshot()).finally(() => {
      this.#snapshot = undefined
      this.#beginArchiving()
    })
  }

  #beginArchiving(): void {
    this.#archiving ??= this.#runInBackground(() => this.#archive()).finally(() => {
      this.#archiving = undefined
    })
  }

  /** Starts after the current turn, in which commands wait for their answers. */
  #runInBackground(work: () => Promise<void>): Promise<void> {
    return setImmediate()
      .then(work)
      .catch((fault: Error) => this.#options.onWarning('journal.maintenance-failed', fault.message))
  }

  async #takeSnapshot(): Promise<void> {
    const { desk, projection } = this.#options
    // The order history first: recovery from a snapshot does not read the entries before it.
    projection.flush(true)
    this.#sinceSnapshot = 0
    await desk.saveSnapshot()
  }

  /** The journal keeps the entries since the last but one snapshot, in case the last one is damaged. */
  async #archive(): Promise<void> {
    const { journal, everyEntries = SNAPSHOT_EVERY_ENTRIES } = this.#options
    const previous = () => journal.snapshotSeqs()[1] ?? 0
    const hasEnoughToArchive = () =>
      previous() - journal.base().seq >= Math.min(MIN_ARCHIVE_ENTRIES, everyEntries)
    while (hasEnoughToArchive() && !this.#isStopped)
      await moveToArchive(journal, previous(), () => this.#isStopped)
  }
}

import {
  createHardState,
  createViews,
  decodeSnapshot,
  type EngineViews,
  type IdempotencyKey,
  type Instruments,
  type JournalEntry,
  type KeyedOrder,
  NO_SEQ,
  type UpdatableViews,
} from '@binnacle/engine'
import { damagedFault } from '#storage/journal/journal-line.ts'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import type { HistoryPosition, OrderHistoryStore } from '#storage/orders/order-history.ts'
import { addRows, emptyRows } from './history-rows.ts'

/** Batch size. A write takes milliseconds, so it waits for a turn without commands. */
const BATCH_ROWS = 200
/**
 * Forced flush. Must stay below the 500 finished orders that the views list, so that every order is in that list or the
 * history.
 */
const MAX_WAITING_ROWS = 400

const RETRY_MS = 5_000

export interface ProjectionOptions {
  journal: JournalStore
  history: OrderHistoryStore
  instruments: Instruments
  /** Whether commands wait. */
  isBusy?: () => boolean
  /** Called when writing begins to fail, and when it works again. */
  warn?: (event: string, message: string) => void
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

/**
 * Writes the order history: every finished order as the views show it after its entry, the key of every order, fills and
 * closed positions.
 */
export class OrderProjection {
  readonly #journal: JournalStore
  readonly #history: OrderHistoryStore
  readonly #isBusy: () => boolean
  #seq: number
  #storedSeq: number
  #waiting = emptyRows()
  #nextTurn: NodeJS.Immediate | undefined
  readonly #warn: (event: string, message: string) => void
  readonly #now: () => number
  /** When a failed write is repeated; undefined while writing works. */
  #retryAtMs: number | undefined

  constructor(options: ProjectionOptions, seq: number) {
    const { journal, history, isBusy = () => false, warn = () => {}, now = () => performance.now() } = options
    this.#warn = warn
    this.#now = now
    this.#journal = journal
    this.#history = history
    this.#isBusy = isBusy
    this.#seq = seq
    this.#storedSeq = seq
  }

  /** Adds a durable entry that the views have just applied; entries seen before are skipped. */
  apply(entry: JournalEntry, views: EngineViews): void {
    if (entry.seq <= this.#seq) return
    this.#seq = entry.seq
    addRows(this.#waiting, entry, views)
    const { orders, keyed, fills, decisions } = this.#waiting
    const waiting = Math.max(orders.length, keyed.size, fills.length, decisions.length)
    if (waiting >= MAX_WAITING_ROWS) this.flush()
    else if (waiting >= BATCH_ROWS) this.flushSoon()
  }

  /** The order of a key, written or waiting to be. */
  findKey(key: IdempotencyKey): KeyedOrder | null {
    return this.#waiting.keyed.get(key) ?? this.#history.findKey(key)
  }

  /** Writes the waiting rows in the next turn without commands. */
  flushSoon(): void {
    this.#nextTurn ??= setImmediate(() => {
      this.#nextTurn = undefined
      if (this.#isBusy()) this.flushSoon()
      else this.flush()
    })
  }

  /**
   * Writes the waiting rows and the journal's position, by which a truncated journal is detected. After a failed write they
   * stay queued, and it is repeated after a while: the journal has them, and each attempt costs the thread that trades.
   */
  flush(isDurable = false): void {
    this.stop()
    if (this.#seq === this.#storedSeq && !isDurable) return
    const link = this.#journal.chainLinkAt(this.#seq)
    if (link === undefined) return
    if (!isDurable && this.#retryAtMs !== undefined && this.#now() < this.#retryAtMs) return
    try {
      const { keyed, ...rows } = this.#waiting
      this.#history.add({ ...rows, keyed: [...keyed.values()] }, link, isDurable)
      this.#waiting = emptyRows()
      this.#storedSeq = link.seq
      if (this.#retryAtMs !== undefined) this.#warn('history.written', 'The order history is written again.')
      this.#retryAtMs = undefined
    } catch (fault) {
      // A failing disk halts the desk by its journal; this file can also fail alone.
      if (this.#retryAtMs === undefined) this.#warn('history.not-written', notWritten(fault))
      this.#retryAtMs = this.#now() + RETRY_MS
    }
  }

  /** Leaves the waiting rows to the next flush, or to the next start. */
  stop(): void {
    clearImmediate(this.#nextTurn)
    this.#nextTurn = undefined
  }
}

function notWritten(fault: unknown): string {
  const why = fault instanceof Error ? fault.message : String(fault)
  return `The order history cannot be written: ${why}. Its rows wait in memory; writing is repeated every 5 seconds.`
}

/** A projection that catches up with its journal, with its own views until the desk has opened. */
export interface ProjectionCatchUp {
  readonly projection: OrderProjection
  apply(entry: JournalEntry): void
}

/** Opens the projection at the history's position, or rebuilds the history when it belongs to another journal or version. */
export async function openProjection(options: ProjectionOptions): Promise<ProjectionCatchUp> {
  const { journal, history, instruments } = options
  const position = history.position()
  checkWhole(journal, position)
  const snapshot = await journal.latestSnapshot()
  const isOfThisJournal =
    !history.isOutdated && (position.seq === 0 || journal.chainLinkAt(position.seq)?.chain === position.chain)
  if (snapshot !== null && isOfThisJournal && position.seq >= snapshot.seq) {
    return catchUp(options, createViews(instruments, decodeSnapshot(snapshot)))
  }
  if (!isOfThisJournal) history.clear()
  const rebuilt = catchUp(options, createViews(instruments, createHardState()))
  if (snapshot === null) return rebuilt
  for await (const entry of journal.entriesAfter(NO_SEQ)) rebuilt.apply(entry)
  rebuilt.projection.flush(true)
  return rebuilt
}

/** SQLite ignores a damaged end of its write-ahead log, so a truncated journal looks intact by itself. */
function checkWhole(journal: JournalStore, position: HistoryPosition): void {
  const { seq: last } = journal.head()
  if (position.seq <= last) return
  throw damagedFault(
    `it ends at entry ${last}, and the order history knows entry ${position.seq}. Restore journal.sqlite with its -wal file, or a backup with 'npm run restore'. To continue without the missing entries, move orders.sqlite out of the data folder`,
  )
}

function catchUp(options: ProjectionOptions, views: UpdatableViews): ProjectionCatchUp {
  // The views may start at a snapshot before the position; what is up to the position is stored.
  const projection = new OrderProjection(options, Math.max(views.seq, options.history.position().seq))
  return {
    projection,
    apply(entry) {
      if (entry.seq <= views.seq) return
      views.apply(entry)
      projection.apply(entry, views)
    },
  }
}

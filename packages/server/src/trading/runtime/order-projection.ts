import {
  createHardState,
  createViews,
  decodeSnapshot,
  type IdempotencyKey,
  type Instruments,
  type JournalEntry,
  type KeyedOrder,
  type LiveViews,
  NO_SEQ,
  type Views,
} from '@binnacle/engine'
import { damaged } from '#storage/journal/journal-line.ts'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import type { HistoryMark, OrderHistory } from '#storage/orders/order-history.ts'
import { addRows, emptyRows } from './history-rows.ts'

/** So many rows are written in the next turn without commands: it takes milliseconds, and commands come first. */
const BATCH_ROWS = 200
/**
 * So many are written at once. The views hold the latest 500 finished orders, so no reader misses an order while fewer
 * wait to be written; an entry finishes at most 100.
 */
const MAX_WAITING_ROWS = 400

export interface ProjectionOptions {
  journal: JournalStore
  history: OrderHistory
  instruments: Instruments
  /** Whether commands wait. */
  isBusy?: () => boolean
}

/**
 * Writes the order history: every finished order as the views show it after its entry, the key of every order, fills and
 * closed positions.
 */
export class OrderProjection {
  readonly #journal: JournalStore
  readonly #history: OrderHistory
  readonly #isBusy: () => boolean
  #seq: number
  #marked: number
  #waiting = emptyRows()
  #nextTurn: NodeJS.Immediate | undefined

  constructor({ journal, history, isBusy = () => false }: ProjectionOptions, seq: number) {
    this.#journal = journal
    this.#history = history
    this.#isBusy = isBusy
    this.#seq = seq
    this.#marked = seq
  }

  /** Adds a durable entry that the views have just applied; entries seen before are skipped. */
  take(entry: JournalEntry, views: Views): void {
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

  /** Writes the waiting rows and the journal's position, by which a truncated journal is detected. After a failed write they stay queued; the journal has them. */
  flush(isDurable = false): void {
    this.stop()
    if (this.#seq === this.#marked && !isDurable) return
    const link = this.#journal.chainLinkAt(this.#seq)
    if (link === undefined) return
    try {
      const { keyed, ...rows } = this.#waiting
      this.#history.add({ ...rows, keyed: [...keyed.values()] }, link, isDurable)
      this.#waiting = emptyRows()
      this.#marked = link.seq
    } catch {
      // The journal halts the desk on a failing disk.
    }
  }

  /** Leaves the waiting rows to the next flush, or to the next start. */
  stop(): void {
    clearImmediate(this.#nextTurn)
    this.#nextTurn = undefined
  }
}

/** A projection that catches up with its journal, with its own views until the desk has opened. */
export interface CatchingUp {
  readonly projection: OrderProjection
  take(entry: JournalEntry): void
}

/** Opens the projection at the history's position, or rebuilds the history when it belongs to another journal or version. */
export async function openProjection(options: ProjectionOptions): Promise<CatchingUp> {
  const { journal, history, instruments } = options
  const mark = history.mark()
  checkWhole(journal, mark)
  const snapshot = await journal.latestSnapshot()
  const isOfThisJournal =
    !history.isOutdated && (mark.seq === 0 || journal.chainLinkAt(mark.seq)?.chain === mark.chain)
  if (snapshot !== null && isOfThisJournal && mark.seq >= snapshot.seq) {
    return catchUp(options, createViews(instruments, decodeSnapshot(snapshot)))
  }
  if (!isOfThisJournal) history.clear()
  const rebuilt = catchUp(options, createViews(instruments, createHardState()))
  if (snapshot === null) return rebuilt
  for await (const entry of journal.entriesAfter(NO_SEQ)) rebuilt.take(entry)
  rebuilt.projection.flush(true)
  return rebuilt
}

/** SQLite ignores a damaged end of its write-ahead log, so a truncated journal looks intact by itself. */
function checkWhole(journal: JournalStore, mark: HistoryMark): void {
  const { seq: last } = journal.head()
  if (mark.seq <= last) return
  throw damaged(
    `it ends at entry ${last}, and the order history knows entry ${mark.seq}. Put the journal back as it was, its -wal file with it, or a backup of it with 'npm run restore'. To go on without what is missing, move orders.sqlite out of the data folder`,
  )
}

function catchUp(options: ProjectionOptions, views: LiveViews): CatchingUp {
  // The views may start at a snapshot before the mark; what is up to the mark is stored.
  const projection = new OrderProjection(options, Math.max(views.seq, options.history.mark().seq))
  return {
    projection,
    take(entry) {
      if (entry.seq <= views.seq) return
      views.apply(entry)
      projection.take(entry, views)
    },
  }
}

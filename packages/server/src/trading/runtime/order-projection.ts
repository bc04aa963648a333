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
  type OrderView,
  type Views,
} from '@binnacle/engine'
import { damaged } from '#storage/journal/journal-line.ts'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import type { HistoryMark, OrderHistory } from '#storage/orders/order-history.ts'

/** The views hold the latest 500 finished orders, so no reader misses an order while fewer wait to be written. */
const MAX_WAITING_ORDERS = 250

/** Writes every finished order to the order history, as the views show it after its entry, and the key of every order. */
export class OrderProjection {
  readonly #journal: JournalStore
  readonly #history: OrderHistory
  #seq: number
  #marked: number
  #orders: OrderView[] = []
  /** In the order of the journal. */
  #keyed = new Map<IdempotencyKey, KeyedOrder>()

  constructor(journal: JournalStore, history: OrderHistory, seq: number) {
    this.#journal = journal
    this.#history = history
    this.#seq = seq
    this.#marked = seq
  }

  /** Adds a durable entry that the views have just applied; entries seen before are skipped. */
  take(entry: JournalEntry, views: Views): void {
    if (entry.seq <= this.#seq) return
    this.#seq = entry.seq
    addFinished(this.#orders, entry, views)
    addKeyed(this.#keyed, entry)
    if (Math.max(this.#orders.length, this.#keyed.size) >= MAX_WAITING_ORDERS) this.flush()
  }

  /** The order of a key, written or waiting to be. */
  findKey(key: IdempotencyKey): KeyedOrder | null {
    return this.#keyed.get(key) ?? this.#history.findKey(key)
  }

  /** Writes the waiting orders and the journal's position, by which a truncated journal is detected. After a failed write they stay queued; the journal has them. */
  flush(isDurable = false): void {
    if (this.#seq === this.#marked && !isDurable) return
    const link = this.#journal.linkAt(this.#seq)
    if (link === undefined) return
    try {
      this.#history.add({ orders: this.#orders, keyed: [...this.#keyed.values()] }, link, isDurable)
      this.#orders = []
      this.#keyed.clear()
      this.#marked = link.seq
    } catch {
      // The journal halts the desk on a failing disk.
    }
  }
}

/** A projection that catches up with its journal, with its own views until the desk has opened. */
export interface CatchingUp {
  readonly projection: OrderProjection
  take(entry: JournalEntry): void
}

/** Opens the projection at the history's position, or rebuilds the history when it belongs to another journal or version. */
export async function openProjection(
  journal: JournalStore,
  history: OrderHistory,
  instruments: Instruments,
): Promise<CatchingUp> {
  const mark = history.mark()
  checkWhole(journal, mark)
  const snapshot = await journal.latestSnapshot()
  const isOfThisJournal =
    !history.isOutdated && (mark.seq === 0 || journal.linkAt(mark.seq)?.chain === mark.chain)
  if (snapshot !== null && isOfThisJournal && mark.seq >= snapshot.seq) {
    return catchUp(journal, history, createViews(instruments, decodeSnapshot(snapshot)))
  }
  if (!isOfThisJournal) history.clear()
  const rebuilt = catchUp(journal, history, createViews(instruments, createHardState()))
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

function catchUp(journal: JournalStore, history: OrderHistory, views: LiveViews): CatchingUp {
  const projection = new OrderProjection(journal, history, views.seq)
  return {
    projection,
    take(entry) {
      if (entry.seq <= views.seq) return
      views.apply(entry)
      projection.take(entry, views)
    },
  }
}

/** An order filled by two events of one entry is added twice, with the same contents. */
function addFinished(finished: OrderView[], { events }: JournalEntry, views: Views): void {
  for (const event of events) {
    if (!('orderId' in event && FINISHING.has(event.type))) continue
    const order = views.order(event.orderId)
    if (order !== null && order.status !== 'PENDING') finished.push(order)
  }
}

function addKeyed(keyed: Map<IdempotencyKey, KeyedOrder>, { seq, events }: JournalEntry): void {
  for (const event of events) {
    if (event.type !== 'OrderSubmitted' && event.type !== 'OrderDenied') continue
    const { orderId, terms } = event
    if (terms.key !== null) keyed.set(terms.key, { orderId, seq, terms })
  }
}

const FINISHING: ReadonlySet<string> = new Set([
  'OrderDenied',
  'OrderFilled',
  'OrderCancelled',
  'OrderRejected',
])

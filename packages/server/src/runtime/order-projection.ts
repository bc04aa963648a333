import {
  createHardState,
  createViews,
  decodeSnapshot,
  type Instruments,
  type JournalEntry,
  type LiveViews,
  NO_SEQ,
  type OrderView,
  type Views,
} from '@binnacle/engine'
import { damaged } from '#storage/journal/journal-line.ts'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import type { Mark, OrderHistory } from '#storage/orders/order-history.ts'

/** The views show the latest 500 finished orders: as long as fewer wait to be written, no reader misses one. */
const WAITING_AT_MOST = 250

/** Writes every order that finishes into the history, as the views show it when its entry has been folded. */
export class OrderProjection {
  readonly #journal: JournalStore
  readonly #history: OrderHistory
  #seq: number
  #marked: number
  #waiting: OrderView[] = []

  constructor(journal: JournalStore, history: OrderHistory, seq: number) {
    this.#journal = journal
    this.#history = history
    this.#seq = seq
    this.#marked = seq
  }

  /** Takes in a durable entry that the views have just folded; one that it has already seen it passes over. */
  take(entry: JournalEntry, views: Views): void {
    if (entry.seq <= this.#seq) return
    this.#seq = entry.seq
    addFinished(this.#waiting, entry, views)
    if (this.#waiting.length >= WAITING_AT_MOST) this.flush()
  }

  /** Writes what waits, and how far the journal goes: that tells when its end is lost. When the disk does not take it, it waits on: the journal has it all. */
  flush(isDurable = false): void {
    if (this.#seq === this.#marked && !isDurable) return
    const link = this.#journal.linkAt(this.#seq)
    if (link === undefined) return
    try {
      this.#history.add(this.#waiting, link, isDurable)
      this.#waiting = []
      this.#marked = link.seq
    } catch {
      // The desk halts by its journal; there is nothing to add to that here.
    }
  }
}

/** A projection that catches up with its journal, by a fold of its own until the desk has one. */
export interface CatchingUp {
  readonly projection: OrderProjection
  take(entry: JournalEntry): void
}

/** Opens the projection where the history stands, or fills the history anew when journal and history differ. */
export async function openProjection(
  journal: JournalStore,
  history: OrderHistory,
  instruments: Instruments,
): Promise<CatchingUp> {
  const mark = history.mark()
  checkWhole(journal, mark)
  const snapshot = await journal.latestSnapshot()
  const isOfThisJournal = mark.seq === 0 || journal.linkAt(mark.seq)?.chain === mark.chain
  if (snapshot !== null && isOfThisJournal && mark.seq >= snapshot.seq) {
    return catchUp(journal, history, createViews(instruments, decodeSnapshot(snapshot)))
  }
  if (!isOfThisJournal) history.clear()
  const anew = catchUp(journal, history, createViews(instruments, createHardState()))
  if (snapshot === null) return anew
  for await (const entry of journal.entriesAfter(NO_SEQ)) anew.take(entry)
  anew.projection.flush(true)
  return anew
}

/** A journal whose end is lost looks whole by itself: SQLite passes over what is damaged in its write-ahead log. */
function checkWhole(journal: JournalStore, mark: Mark): void {
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

/** An order that two events of one entry fill comes twice, and is written twice as the same. */
function addFinished(finished: OrderView[], { events }: JournalEntry, views: Views): void {
  for (const event of events) {
    if (!('orderId' in event && FINISHING.has(event.type))) continue
    const order = views.order(event.orderId)
    if (order !== null && order.status !== 'PENDING') finished.push(order)
  }
}

const FINISHING: ReadonlySet<string> = new Set([
  'OrderDenied',
  'OrderFilled',
  'OrderCancelled',
  'OrderRejected',
])

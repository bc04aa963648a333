import {
  createHardState,
  createViews,
  decodeSnapshot,
  type Instruments,
  type JournalEntry,
  type LiveViews,
  NO_SEQ,
  type OrderId,
  type OrderView,
} from '@binnacle/engine'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import type { OrderHistory } from '#storage/orders/order-history.ts'

/** The views show the latest 500 finished orders: as long as fewer wait to be written, no reader misses one. */
const WAITING_AT_MOST = 250

/**
 * Writes every order that finishes into the history. It folds the entries one by one with views of its own, since
 * the desk's have forgotten the first of more than a thousand orders that finish together.
 */
export class OrderProjection {
  readonly #views: LiveViews
  readonly #journal: JournalStore
  readonly #history: OrderHistory
  #waiting: OrderView[] = []

  constructor(views: LiveViews, journal: JournalStore, history: OrderHistory) {
    this.#views = views
    this.#journal = journal
    this.#history = history
  }

  /** Takes in durable entries; those it has already seen it passes over. */
  take(entries: Iterable<JournalEntry>): void {
    for (const entry of entries) {
      if (entry.seq <= this.#views.seq) continue
      this.#views.apply(entry)
      this.#waiting.push(...finishedBy(entry, this.#views))
      if (this.#waiting.length >= WAITING_AT_MOST) this.flush()
    }
  }

  /** Writes what waits. When the disk does not take it, it waits on: the journal has it all. */
  flush(isDurable = false): void {
    const link = this.#journal.linkAt(this.#views.seq)
    if (link === undefined || (this.#waiting.length === 0 && !isDurable)) return
    try {
      this.#history.add(this.#waiting, link, isDurable)
      this.#waiting = []
    } catch {
      // The desk halts by its journal; there is nothing to add to that here.
    }
  }
}

/** Opens the projection where the history stands, or fills the history anew when journal and history differ. */
export async function openProjection(
  journal: JournalStore,
  history: OrderHistory,
  instruments: Instruments,
): Promise<OrderProjection> {
  const mark = history.mark()
  const snapshot = await journal.latestSnapshot()
  const isOfThisJournal = mark.seq === 0 || journal.linkAt(mark.seq)?.chain === mark.chain
  if (snapshot !== null && isOfThisJournal && mark.seq >= snapshot.seq) {
    return new OrderProjection(createViews(instruments, decodeSnapshot(snapshot)), journal, history)
  }
  if (!isOfThisJournal) history.clear()
  const projection = new OrderProjection(createViews(instruments, createHardState()), journal, history)
  if (snapshot === null) return projection
  for await (const entry of journal.entriesAfter(NO_SEQ)) projection.take([entry])
  projection.flush(true)
  return projection
}

function finishedBy({ events }: JournalEntry, views: LiveViews): OrderView[] {
  const ids = new Set<OrderId>()
  for (const event of events) if ('orderId' in event && mayFinish(event.type)) ids.add(event.orderId)
  return [...ids].flatMap((id) => views.order(id) ?? []).filter(({ status }) => status !== 'PENDING')
}

const FINISHING: readonly string[] = ['OrderDenied', 'OrderFilled', 'OrderCancelled', 'OrderRejected']

function mayFinish(type: string): boolean {
  return FINISHING.includes(type)
}

import {
  type Clock,
  createEngine,
  type HardState,
  type Instruments,
  type Journal,
  type JournalEntry,
  openDesk,
  type RunningDesk,
  type StrategyKind,
  seq,
  type Venue,
} from '@binnacle/engine'
import { type JournalStore, openJournalStore } from '#storage/journal/journal-store.ts'
import { openOrderHistory } from '#storage/orders/order-history.ts'
import type { DeskPlace } from './desk-protocol.ts'
import { JournalUpkeep } from './journal-upkeep.ts'
import { type CatchingUp, type OrderProjection, openProjection } from './order-projection.ts'

export interface KeptDeskOptions {
  place: DeskPlace
  instruments: Instruments
  clock: Clock
  venue: Venue
  /** The kinds of strategy it can run; the built-in ones when left out. */
  kinds?: readonly StrategyKind[]
  /** Hears of the recovered state before the desk works on it. */
  onState?: (state: HardState) => void
  /** Hears of durable entries as the journal wrote them, with commas between, before anyone is answered. */
  onEntries?: (text: string) => void
  onHalt?: () => void
  /** Hears of what went wrong without doing harm. */
  onNote?: (event: string, message: string) => void
  /** A snapshot every so many entries; the usual number when left out. */
  snapshotEvery?: number
}

/** A desk with everything that it keeps on disk: journal, snapshots, archive and the history of its orders. */
export interface KeptDesk {
  readonly desk: RunningDesk
  readonly upkeep: JournalUpkeep
  readonly projection: OrderProjection
  close(): Promise<void>
}

/** Opens a desk on its place, after looking through what of the journal is still there. */
export async function openKeptDesk(options: KeptDeskOptions): Promise<KeptDesk> {
  const { place, instruments, clock, venue, kinds } = options
  const journal = openJournalStore({ file: place.journalFile, archiveFolder: place.archiveFolder })
  const history = openOrderHistory(place.ordersFile)
  await verifyOlderEntries(journal)
  let opening: CatchingUp | undefined = await openProjection(journal, history, instruments)
  const { projection } = opening
  const desk = await openDesk({
    instruments,
    createEngine: (state) => {
      options.onState?.(state)
      return createEngine({ instruments, state, ...(kinds && { kinds }) })
    },
    clock,
    venue,
    journal: heardWhenRead(journal, (entry) => opening?.take(entry)),
    onEntry: (entry, views) => projection.take(entry, views),
    onEntries: (entries) => {
      options.onEntries?.(journal.textOf(entries))
      upkeep.count(entries.length)
    },
    onHalt: () => options.onHalt?.(),
  })
  // From here on the desk's own views are the fold.
  opening = undefined
  const { onNote: note = () => {}, snapshotEvery: everyEntries } = options
  const upkeep = new JournalUpkeep({ desk, journal, projection, note, ...(everyEntries && { everyEntries }) })
  upkeep.begin(desk.views.seq - (journal.snapshotSeqs()[0] ?? 0))
  return {
    desk,
    upkeep,
    projection,
    async close() {
      await desk.idle()
      await upkeep.stop()
      desk.close()
      history.close()
      journal.close()
    },
  }
}

/** A snapshot stands for the entries before it; those that are still here are looked through all the same. */
async function verifyOlderEntries(journal: JournalStore): Promise<void> {
  const [latest] = journal.snapshotSeqs()
  if (latest !== undefined) await journal.verify(seq(latest))
}

/** What recovery reads passes by here, so that orders which finished in it are written without a second reading. */
function heardWhenRead(journal: Journal, hear: (entry: JournalEntry) => void): Journal {
  return {
    ...journal,
    async *entriesAfter(after) {
      for await (const entry of journal.entriesAfter(after)) {
        hear(entry)
        yield entry
      }
    },
  }
}

import {
  type Clock,
  createEngine,
  type HardState,
  type Instruments,
  type Journal,
  type JournalEntry,
  type RunningDesk,
  type StrategyKind,
  seq,
  startDeskLoop,
  type Venue,
} from '@binnacle/engine'
import { StartRefusal } from '#config/start-refusal.ts'
import { type HaltMarker, openHaltMarker } from '#storage/journal/halt-marker.ts'
import { type JournalStore, openJournalStore } from '#storage/journal/journal-store.ts'
import { type OrderHistory, openOrderHistory } from '#storage/orders/order-history.ts'
import type { DeskPaths } from './desk-protocol.ts'
import { JournalMaintenance } from './journal-maintenance.ts'
import { type CatchingUp, type OrderProjection, openProjection } from './order-projection.ts'

export interface PersistentDeskOptions {
  paths: DeskPaths
  instruments: Instruments
  clock: Clock
  venue: Venue
  /** The kinds of strategies it can run; by default the built-in ones. */
  kinds?: readonly StrategyKind[]
  /** Called with the recovered state before the desk uses it. */
  onState?: (state: HardState) => void
  /** Called with durable entries as texts for views, with commas between, before any command is answered. */
  onEntries?: (text: string) => void
  onHalt?: () => void
  /** Called on a failure that does not affect trading. */
  onNote?: (event: string, message: string) => void
  /** Whether commands wait. What is not urgent is written when none do. */
  isBusy?: () => boolean
  /** Entries between two snapshots. */
  snapshotEvery?: number
}

/** A desk with its files: journal, snapshots, archive and order history. */
export interface PersistentDesk {
  readonly desk: RunningDesk
  readonly maintenance: JournalMaintenance
  readonly projection: OrderProjection
  close(): Promise<void>
}

/** Opens a desk on its files after verifying the journal. */
export async function openPersistentDesk(options: PersistentDeskOptions): Promise<PersistentDesk> {
  const { paths, instruments, clock, venue, kinds, isBusy } = options
  const journal = openJournalStore({ file: paths.journalFile, archiveFolder: paths.archiveFolder })
  const marker = openHaltMarker(`${paths.journalFile}.halted`)
  let isHaltLasting = false
  const history = openHistory(paths.ordersFile)
  await verifyOlderEntries(journal)
  let maintenance: JournalMaintenance | undefined
  let opening: CatchingUp | undefined = await openProjection({
    journal,
    history,
    instruments,
    ...(isBusy && { isBusy }),
  })
  const { projection } = opening
  const desk = await startDeskLoop({
    instruments,
    createEngine: (state) => {
      options.onState?.(state)
      return createEngine({ instruments, state, ...(kinds && { kinds }) })
    },
    clock,
    venue,
    journal: observeReads(journal, (entry) => opening?.take(entry)),
    findKey: (key) => projection.findKey(key),
    onEntry: (entry, views) => projection.take(entry, views),
    onEntries: (entries) => {
      options.onEntries?.(journal.textForViews(entries))
      // What recovery appends is counted when maintenance begins.
      maintenance?.count(entries.length)
    },
    onHalt: (cause) => {
      isHaltLasting = marker.set(cause instanceof Error ? cause.message : String(cause))
      options.onHalt?.()
    },
    onRecovered: () => marker.clear(),
    isHaltLasting: () => isHaltLasting,
  })
  // From here on the projection uses the desk's own views.
  opening = undefined
  const { onNote: note = () => {}, snapshotEvery: everyEntries } = options
  const journalMaintenance = new JournalMaintenance({
    desk,
    journal,
    projection,
    note,
    ...(everyEntries && { everyEntries }),
  })
  maintenance = journalMaintenance
  maintenance.begin(desk.views.seq - (journal.snapshotSeqs()[0] ?? 0))
  await recordMarkedHalt(desk, marker)
  return {
    desk,
    maintenance: journalMaintenance,
    projection,
    async close() {
      await desk.idle()
      await journalMaintenance.stop()
      desk.close()
      projection.stop()
      history.close()
      journal.close()
      marker.close()
    },
  }
}

/** A damaged file is replaced by an empty one; any other failure names the file, which is not the journal. */
function openHistory(file: string): OrderHistory {
  try {
    return openOrderHistory(file)
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault)
    throw new StartRefusal(
      `The order history ${file} cannot be opened: ${why}. Correct its permissions; it is filled from the journal when it is missing.`,
    )
  }
}

/** CALL-53: a halt that the journal could not record lasts beyond a restart. */
async function recordMarkedHalt(desk: RunningDesk, marker: HaltMarker): Promise<void> {
  const { reason } = marker
  if (reason === null) return
  if (desk.views.seq > 0) await desk.submit({ type: 'RecordHalt', message: reason }).catch(() => {})
  if (desk.haltReason === null) marker.clear()
}

/** Recovery reads only the entries after the snapshot; older ones that are still in the journal are verified here. */
async function verifyOlderEntries(journal: JournalStore): Promise<void> {
  const [latest] = journal.snapshotSeqs()
  if (latest !== undefined) await journal.verify(seq(latest))
}

/** Passes the entries that recovery reads to the projection, which saves reading them twice. */
function observeReads(journal: Journal, onRead: (entry: JournalEntry) => void): Journal {
  return {
    ...journal,
    async *entriesAfter(after) {
      for await (const entry of journal.entriesAfter(after)) {
        onRead(entry)
        yield entry
      }
    },
  }
}

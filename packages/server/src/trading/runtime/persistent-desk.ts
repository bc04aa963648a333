import {
  type Clock,
  createEngine,
  type HardState,
  type Instruments,
  type Journal,
  type JournalEntry,
  type RunningDesk,
  type StrategyKind,
  seqFrom,
  startDeskLoop,
  type Venue,
} from '@binnacle/engine'
import { StartRefusal } from '#config/start-refusal.ts'
import { type HaltFile, openHaltFile } from '#storage/journal/halt-file.ts'
import { type JournalStore, openJournalStore } from '#storage/journal/journal-store.ts'
import { type OrderHistoryStore, openOrderHistory } from '#storage/orders/order-history.ts'
import type { DeskPaths } from './desk-protocol.ts'
import { JournalMaintenance } from './journal-maintenance.ts'
import { type OrderProjection, openProjection, type ProjectionCatchUp } from './order-projection.ts'

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
  onWarning?: (event: string, message: string) => void
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
  const { paths, instruments, clock, venue, kinds, isBusy, onWarning: warn = () => {} } = options
  const journal = openJournalStore({ file: paths.journalFile, archiveFolder: paths.archiveFolder })
  const haltFile = openHaltFile(`${paths.journalFile}.halted`)
  let isHaltPersisted = false
  const history = openHistory(paths.ordersFile, warn)
  await verifyOlderEntries(journal)
  let maintenance: JournalMaintenance | undefined
  let catchUp: ProjectionCatchUp | undefined = await openProjection({
    journal,
    history,
    instruments,
    warn,
    ...(isBusy && { isBusy }),
  })
  const { projection } = catchUp
  const desk = await startDeskLoop({
    instruments,
    createEngine: (state) => {
      options.onState?.(state)
      return createEngine({ instruments, state, ...(kinds && { kinds }) })
    },
    clock,
    venue,
    journal: observeReads(journal, (entry) => catchUp?.apply(entry)),
    findKey: (key) => projection.findKey(key),
    onEntry: (entry, views) => projection.apply(entry, views),
    onEntries: (entries) => {
      options.onEntries?.(journal.textForViews(entries))
      // What recovery appends is counted when maintenance begins.
      maintenance?.count(entries.length)
    },
    onHalt: (cause) => {
      isHaltPersisted = haltFile.set(cause instanceof Error ? cause.message : String(cause))
      options.onHalt?.()
    },
    onRecovered: () => haltFile.clear(),
    isHaltPersisted: () => isHaltPersisted,
  })
  // From here on the projection uses the desk's own views.
  catchUp = undefined
  const { snapshotEvery: everyEntries } = options
  maintenance = new JournalMaintenance({
    desk,
    journal,
    projection,
    onWarning: warn,
    ...(everyEntries && { everyEntries }),
  })
  maintenance.begin(desk.seq - (journal.snapshotSeqs()[0] ?? 0))
  await recordPersistedHalt(desk, haltFile)
  return {
    desk,
    maintenance,
    projection,
    async close() {
      await desk.idle()
      await maintenance.stop()
      desk.close()
      projection.stop()
      history.close()
      journal.close()
      haltFile.close()
    },
  }
}

/** A damaged file is replaced by an empty one; any other failure names the file, which is not the journal. */
function openHistory(file: string, warn: NonNullable<PersistentDeskOptions['onWarning']>): OrderHistoryStore {
  try {
    return openOrderHistory(file, (message) => warn('history.damaged', message))
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault)
    throw new StartRefusal(
      `The order history ${file} cannot be opened: ${why}. Correct its permissions or free disk space; it is filled from the journal when it is missing.`,
    )
  }
}

/** CALL-53: a halt that the journal could not record lasts beyond a restart. */
async function recordPersistedHalt(desk: RunningDesk, haltFile: HaltFile): Promise<void> {
  const { reason } = haltFile
  if (reason === null) return
  if (desk.seq > 0) await desk.submit({ type: 'RecordHalt', message: reason }).catch(() => {})
  if (desk.haltReason === null) haltFile.clear()
}

/** Recovery reads only the entries after the snapshot; older ones that are still in the journal are verified here. */
async function verifyOlderEntries(journal: JournalStore): Promise<void> {
  const [latest] = journal.snapshotSeqs()
  if (latest !== undefined) await journal.verify(seqFrom(latest))
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

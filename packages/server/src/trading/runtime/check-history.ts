import { setTimeout as wait } from 'node:timers/promises'
import { createHardState, createViews, standardInstruments, type UpdatableViews } from '@binnacle/engine'
import { openJournalReader } from '#storage/journal/journal-store.ts'
import { type HistoryCounts, type HistoryRepair, openHistoryRepair } from '#storage/orders/history-repair.ts'
import { orderNumber } from '#storage/orders/order-history.ts'
import type { DeskPaths } from './desk-protocol.ts'
import { addRows, emptyRows } from './history-rows.ts'

export interface HistoryComparison extends HistoryCounts {
  /** The journal entry up to which the history was compared. */
  seq: number
}

/** Entries per slice. */
const SLICE_ENTRIES = 500
/** After a slice in the background comes a pause of this many times its duration. */
const PAUSE_FACTOR = 4
/** While trading goes on, the end of the history is compared again at most this often. */
const MAX_ROUNDS = 20

/**
 * Folds the whole journal, archive included, and compares every row of the order history with it. Rows that differ are
 * written again, rows without an entry deleted.
 */
export async function checkHistory(
  paths: Pick<DeskPaths, 'journalFile' | 'archiveFolder' | 'ordersFile'>,
  { isHurried }: { isHurried: boolean },
): Promise<HistoryComparison> {
  const journal = openJournalReader({ file: paths.journalFile, archiveFolder: paths.archiveFolder })
  const repair = openHistoryRepair(paths.ordersFile)
  const views = createViews(standardInstruments(), createHardState())
  const pauseFactor = isHurried ? 0 : PAUSE_FACTOR
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await compareUpTo(repair.position().seq, views, repair, journal.entriesAfter, pauseFactor)
      if (repair.dropOthers(endOf(views))) break
    }
    await compareKeys(views, repair, pauseFactor)
    return { ...repair.counts, seq: views.seq }
  } finally {
    repair.close()
    journal.close()
  }
}

async function compareUpTo(
  upTo: number,
  views: UpdatableViews,
  repair: HistoryRepair,
  entriesAfter: ReturnType<typeof openJournalReader>['entriesAfter'],
  pauseFactor: number,
): Promise<void> {
  let rows = emptyRows()
  let startMs = performance.now()
  const compare = () => {
    repair.compare({ ...rows, keyed: [...rows.keyed.values()] })
    rows = emptyRows()
  }
  for await (const entry of entriesAfter(views.seq)) {
    if (entry.seq > upTo) break
    views.apply(entry)
    addRows(rows, entry, views)
    if (entry.seq % SLICE_ENTRIES !== 0) continue
    compare()
    await wait(pauseFactor * (performance.now() - startMs))
    startMs = performance.now()
  }
  compare()
}

async function compareKeys(views: UpdatableViews, repair: HistoryRepair, pauseFactor: number): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const startMs = performance.now()
    after = repair.dropOtherKeys(after, endOf(views))
    await wait(pauseFactor * (performance.now() - startMs))
  }
}

function endOf({ state }: UpdatableViews) {
  const { nextNumber, working } = state.orders
  const numbers = [...working.values()].map(({ id }) => orderNumber(id) ?? 0)
  return { seq: state.seq, nextNumber, working: numbers }
}

import type { JournalEntry } from '#model/journal-entry.ts'
import { applyEntry, createHardState, type HardState } from '#state/hard-state.ts'
import { Fault } from '#values/fault.ts'
import type { Journal } from './journal.ts'
import { decodeSnapshot } from './snapshot.ts'

/** Folds entries in order; a gap is a Fault. */
export function fold(state: HardState, entries: Iterable<JournalEntry>): HardState {
  for (const entry of entries) foldOne(state, entry)
  return state
}

/** Creates the fault of an entry that does not follow the last one. */
export function journalGap(found: number, last: number): Fault {
  return new Fault('journal.gap', `Journal gap: expected entry ${last + 1}, found ${found}.`)
}

/** Rebuilds hard state: the latest snapshot, then every entry after it. */
export async function recover(journal: Journal): Promise<HardState> {
  const snapshot = await journal.latestSnapshot()
  const state = snapshot ? decodeSnapshot(snapshot) : createHardState()
  for await (const entry of journal.entriesAfter(state.seq)) foldOne(state, entry)
  return state
}

function foldOne(state: HardState, entry: JournalEntry): void {
  if (entry.seq !== state.seq + 1) throw journalGap(entry.seq, state.seq)
  applyEntry(state, entry)
}

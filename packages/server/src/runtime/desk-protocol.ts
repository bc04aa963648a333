import type { Asker, Command, JournalEntry, Outcome, SoftFigures } from '@binnacle/engine'

/** What the engine's thread is started with. */
export interface DeskWorkerOptions {
  journalFile: string
  /** Where the simulated market keeps where its prices stand. */
  marketFile: string
  seed: number
}

/** From the API's thread to the engine's. */
export type ToDesk = { kind: 'submit'; id: number; command: Command; asker: Asker } | { kind: 'close' }

/** From the engine's thread to the API's, in the order in which it became true. */
export type FromDesk =
  /** The whole of hard state as text, once, before anything else. */
  | { kind: 'opened'; snapshot: { seq: number; text: string } }
  | { kind: 'entries'; entries: readonly JournalEntry[] }
  | { kind: 'soft'; soft: SoftFigures }
  | { kind: 'answered'; id: number; outcome: Outcome }
  | { kind: 'failed'; id: number; message: string }
  /** Null when the desk works again. */
  | { kind: 'halted'; because: string | null }
  | { kind: 'closed' }

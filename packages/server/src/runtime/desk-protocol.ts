import type { Asker, BarColumns, Command, Outcome, Seq, Snapshot, SoftFigures } from '@binnacle/engine'
import type { CustomTold } from './custom/custom-outlet.ts'
import type { MinuteBar } from './minute-bars.ts'

/** Where in the data folder the desk keeps what it keeps. */
export interface DeskPlace {
  journalFile: string
  /** Entries that no snapshot needs any more. */
  archiveFolder: string
  /** Finished orders, for lists that go further back than the views. */
  ordersFile: string
  /** Where the simulated market's prices stand. */
  marketFile: string
  /** The latest bars that running strategies heard. */
  barsFile: string
  /** The user's own strategies. */
  strategiesFolder: string
}

/** What the engine's thread is started with. */
export interface DeskWorkerOptions {
  place: DeskPlace
  seed: number
  /** Recorded days, which value at risk is made of. */
  daily: readonly BarColumns[]
  /** What running strategies were told of the past. */
  past?: readonly BarColumns[]
}

export interface Submission {
  id: number
  command: Command
  asker: Asker
}

/**
 * From the API's thread to the engine's; what came in together goes over together. Both ways what goes over for every
 * order is text: it crosses threads at half the cost of what it tells.
 */
export type ToDesk =
  /** A list of submissions. */
  | { kind: 'submit'; submissions: string }
  /** More days were recorded: these are all that there are. */
  | { kind: 'warm'; daily: readonly BarColumns[] }
  /** Bars of the past for strategies that run. */
  | { kind: 'prime'; bars: readonly BarColumns[] }
  | { kind: 'close' }

/** An outcome without its entry, which goes over once, with the entries. */
export type BareOutcome =
  | Extract<Outcome, { ok: false }>
  | (Omit<Extract<Outcome, { ok: true }>, 'entry'> & { readonly entrySeq: Seq | null })

export type Answer = { id: number; outcome: BareOutcome } | { id: number; failure: string }

/** From the engine's thread to the API's, in the order in which it became true. */
export type FromDesk =
  /** The whole of hard state, once, before anything else; as text, since not all of it crosses threads as it is. */
  | { kind: 'opened'; snapshot: Snapshot }
  /** The desk takes commands. */
  | { kind: 'ready' }
  /** What became durable, as the journal wrote it and with commas between, and a list of the answers that waited for it. */
  | { kind: 'happened'; entries: string; answers: string }
  | { kind: 'soft'; soft: SoftFigures }
  /** Minutes of the market that are over, for the catalog. */
  | { kind: 'minutes'; minutes: readonly MinuteBar[] }
  /** What custom strategies heard, for their processes. */
  | { kind: 'custom'; told: readonly CustomTold[] }
  /** Null when the desk works again. */
  | { kind: 'halted'; because: string | null }
  /** Something that only the log is told. */
  | { kind: 'noted'; event: string; message: string }
  | { kind: 'closed' }

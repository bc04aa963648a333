import type { RawLimits } from '@binnacle/engine'
import type { FailureMessage } from '#child/protocol.ts'

/**
 * The protocol of a backtest that runs inside the sealed process: one line of JSON and the columns of its bars go in,
 * lines of JSON come out. No message crosses per bar.
 */

/** The line to the process. The bars follow it as doubles, column after column. */
export interface HostedStart {
  /** The engine's entry as a file URL. */
  readonly engine: string
  /** The folder of the modules as a file URL ending in a slash. */
  readonly folder: string
  readonly instruments: readonly HostedInstrument[]
  readonly bars: readonly {
    readonly instrument: string
    readonly interval: string
    readonly length: number
  }[]
  readonly config: Readonly<Record<string, unknown>>
  readonly capital: number
  readonly limits: RawLimits
  readonly slippageBps: number
  readonly latencyMs: number
  readonly seed: number
}

/** A standard instrument with the fees of the run. */
export interface HostedInstrument {
  readonly id: string
  readonly makerFeePpm: number
  readonly takerFeePpm: number
}

/** The columns of bars in the order in which they are sent. */
export const HOSTED_COLUMNS = ['start', 'open', 'high', 'low', 'close', 'volume'] as const

/** The process reports at least this often while the module returns from its callbacks. */
export const PROGRESS_EVERY_MS = 100

/** What the process sends. All but the first two end the run. */
export type HostedMessage<Report> =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'completed'; readonly report: Report }
  /** The module failed by itself. */
  | { readonly kind: 'failed'; readonly failure: FailureMessage }
  /** The engine or a limit ended it, with the whole sentence. */
  | { readonly kind: 'ended'; readonly reason: string }
  /** An invariant broke outside the module. */
  | { readonly kind: 'fault'; readonly reason: string }

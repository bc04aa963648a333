import type { BacktestStatistics } from '@binnacle/contract'
import type { Instrument, LookAheadReport, Moments } from '@binnacle/engine'
import type { BacktestPlan } from './plan.ts'
import type { LoadedBars } from './shared-bars.ts'

/** What every thread of the pool is started with. */
export interface BacktestWorkerOptions {
  catalogFolder: string
  /** The user's own strategies. */
  strategiesFolder: string
  /** Of the bars; those of the embedded engine unless given. */
  instruments?: readonly Instrument[] | undefined
  /** For work that nobody waits for: other threads come first. */
  isLowPriority?: boolean
}

/** What a sweep stores of a run. */
export interface RunFigures {
  statistics: BacktestStatistics
  /** Of the daily returns. */
  daily: Moments
  orders: number
  denied_orders: number
  hash: string
}

/** Its figures alone, the look-ahead check, or only its bars. Default: its whole result. */
export type BacktestWork = 'figures' | 'look-ahead' | 'read'

/** One run for a thread. */
export interface BacktestTask {
  plan: BacktestPlan
  work?: BacktestWork
  /** The bars, when another run has read them already. */
  loaded: LoadedBars | null
  /** One whole number in shared memory: other than 0 means stop. */
  stop: Int32Array
  /** In place of the folder that the thread was started with. */
  strategiesFolder?: string
}

/** What a thread says of its run. All but the first two end it. */
export type FromBacktest =
  | { kind: 'loaded'; loaded: LoadedBars }
  | { kind: 'progress'; progress: number }
  | { kind: 'completed'; result: string; summary: string; hash: string }
  | { kind: 'figures'; figures: RunFigures }
  | { kind: 'checked'; report: LookAheadReport }
  /** The bars are there. */
  | { kind: 'read' }
  | { kind: 'stopped' }
  | { kind: 'refused'; sentence: string }

import type { BacktestPlan } from './plan.ts'
import type { LoadedBars } from './shared-bars.ts'

/** What every thread of the pool is started with. */
export interface BacktestWorkerOptions {
  catalogFolder: string
  /** The user's own strategies. */
  strategiesFolder: string
}

/** One run for a thread. */
export interface BacktestTask {
  plan: BacktestPlan
  /** The bars, when another run has read them already. */
  loaded: LoadedBars | null
  /** One whole number in shared memory: other than 0 means stop. */
  stop: Int32Array
}

/** What a thread says of its run. The last three end it. */
export type FromBacktest =
  | { kind: 'loaded'; loaded: LoadedBars }
  | { kind: 'progress'; progress: number }
  | { kind: 'completed'; result: string; summary: string; hash: string }
  | { kind: 'stopped' }
  | { kind: 'refused'; sentence: string }

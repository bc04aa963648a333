import type { NewBacktest } from '@binnacle/contract'
import type { Refused } from '#http/problems.ts'
import type { BarCache } from './bar-cache.ts'
import type { BacktestPlan } from './plan.ts'
import type { LoadedBars } from './shared-bars.ts'
import type { PooledRun, WorkerPool } from './worker-pool.ts'
import type { BacktestTask, BacktestWork, FromBacktest } from './worker-protocol.ts'

/** A plan that waits for a thread of the pool or runs in one. */
export interface PlanRun {
  /** Never rejects. */
  readonly ended: Promise<PlanEnding>
  stop(): void
}

export type PlanEnding =
  | Exclude<FromBacktest, { kind: 'loaded' | 'progress' }>
  /** The thread ended under the run, or the worker of another machine failed. */
  | { kind: 'fault'; fault: unknown }

/** A reading of the bars of a plan. */
export interface BarReading {
  readonly loaded: Promise<LoadedBars | PlanEnding>
  stop(): void
}

export interface PlanResources {
  pool: WorkerPool
  cache: BarCache
}

export interface PlanRunOptions {
  /** What the thread does with the plan. */
  work?: BacktestWork
  onBegun?: () => void
  onLoaded?: (loaded: LoadedBars) => void
  onProgress?: (progress: number) => void
}

/** A thread looks many times a second whether it should stop; one that has not by then never will. */
const TERMINATE_AFTER_MS = 700

/** Runs a plan in the pool. Plans over the same bars share them. */
export function runPlan(
  plan: BacktestPlan,
  { pool, cache }: PlanResources,
  { work, onBegun, onLoaded, onProgress }: PlanRunOptions = {},
): PlanRun {
  const { promise: ended, resolve } = Promise.withResolvers<PlanEnding>()
  const stop = new Int32Array(new SharedArrayBuffer(4))
  let isReader = false
  let deadline: NodeJS.Timeout | undefined

  function end(ending: PlanEnding): void {
    clearTimeout(deadline)
    if (isReader) cache.endReading(plan)
    isReader = false
    resolve(ending)
  }

  const run: PooledRun = {
    isReady: () => !cache.isBeingRead(plan),
    task(): BacktestTask {
      const loaded = cache.find(plan)
      onBegun?.()
      if (loaded !== null) onLoaded?.(loaded)
      else {
        isReader = true
        cache.beginReading(plan)
      }
      return { plan, loaded, stop, ...(work && { work }) }
    },
    onMessage(message) {
      if (message.kind === 'progress') onProgress?.(message.progress)
      else if (message.kind === 'loaded') {
        isReader = false
        cache.put(plan, message.loaded)
        onLoaded?.(message.loaded)
      } else end(message)
    },
    onFault: (fault) => end({ kind: 'fault', fault }),
  }
  pool.add(run)

  return {
    ended,
    stop() {
      Atomics.store(stop, 0, 1)
      if (pool.remove(run)) end({ kind: 'stopped' })
      else deadline ??= setTimeout(() => pool.terminate(run), TERMINATE_AFTER_MS)
    },
  }
}

/** Reads the bars of a plan on a thread, unless another run has read them. */
export function readPlan(plan: BacktestPlan, resources: PlanResources): BarReading {
  const found = resources.cache.find(plan)
  if (found !== null) return { loaded: Promise.resolve(found), stop: () => {} }
  let read: LoadedBars | null = null
  const reading = runPlan(plan, resources, {
    work: 'read',
    onLoaded: (bars) => {
      read = bars
    },
  })
  return {
    loaded: reading.ended.then((ending) => (ending.kind === 'read' && read !== null ? read : ending)),
    stop: () => reading.stop(),
  }
}

/** What sweeps need of backtests. */
export interface BacktestRunner {
  /** How many runs go on at a time. */
  readonly threads: number
  /** Of a parameter of a strategy, as the screen shows it. */
  labelOf(type: string, parameter: string): string
  /** What can be said without looking at the bars. */
  check(request: NewBacktest): BacktestPlan | Refused
  prepare(request: NewBacktest): Promise<BacktestPlan | Refused>
  /** Computes the figures of the run. */
  run(plan: BacktestPlan): PlanRun
  /** The bars of the plan stay in memory until the returned function is called. */
  keepBars(plan: BacktestPlan): () => void
}

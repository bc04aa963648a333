import type { BacktestsStore } from '#storage/admin/backtests-store.ts'
import type { BarCache } from './bar-cache.ts'
import type { BacktestPlan } from './plan.ts'
import type { LoadedBars } from './shared-bars.ts'
import type { PooledRun, WorkerPool } from './worker-pool.ts'
import type { BacktestTask, FromBacktest } from './worker-protocol.ts'

/** A run that is queued or under way. */
export interface LiveBacktest {
  readonly progress: number
  /** Resolves when the outcome is stored. Never rejects. */
  readonly ended: Promise<void>
  stop(why: StopReason): void
}

export type StopReason = 'cancelled' | 'interrupted'

export interface LiveBacktestNeeds {
  store: BacktestsStore
  pool: WorkerPool
  cache: BarCache
  onFault: (fault: unknown) => void
}

const STOPPED: Record<StopReason, string> = {
  cancelled: 'Cancelled.',
  interrupted: 'The server was shut down before this run had ended.',
}
const FAULT = 'Something went wrong inside the server. See logs/server.log in the data folder.'
/** A thread looks many times a second whether it should stop; one that has not by then never will. */
const TERMINATE_AFTER_MS = 700

/** Hands a run to the pool and keeps its record up to date. */
export function createLiveBacktest(id: number, plan: BacktestPlan, needs: LiveBacktestNeeds): LiveBacktest {
  const { store, pool, cache, onFault } = needs
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const stop = new Int32Array(new SharedArrayBuffer(4))
  let progress = 0
  let why: StopReason | undefined
  let isReader = false
  let isOver = false
  let deadline: NodeJS.Timeout | undefined
  /** Writes of one record follow one another. */
  let written = Promise.resolve()

  function write(work: () => Promise<void>): void {
    written = written.then(work).catch(onFault)
  }

  function end(work: () => Promise<void>): void {
    if (isOver) return
    isOver = true
    clearTimeout(deadline)
    if (isReader) cache.endReading(plan)
    write(work)
    void written.then(resolve)
  }

  function keepLoaded(loaded: LoadedBars): void {
    isReader = false
    cache.put(plan, loaded)
    write(() => store.fingerprint(id, loaded.fingerprint))
  }

  function onMessage(message: FromBacktest): void {
    if (message.kind === 'progress') progress = message.progress
    else if (message.kind === 'loaded') keepLoaded(message.loaded)
    else if (message.kind === 'completed') {
      const { result, summary, hash } = message
      end(() => store.complete(id, { result, summary, hash }))
    } else if (message.kind === 'refused') end(() => store.end(id, 'failed', message.sentence))
    else endStopped()
  }

  function endStopped(): void {
    const reason = why ?? 'interrupted'
    end(() => store.end(id, reason, STOPPED[reason]))
  }

  const run: PooledRun = {
    isReady: () => !cache.isBeingRead(plan),
    task(): BacktestTask {
      const loaded = cache.find(plan)
      write(() => store.begin(id))
      if (loaded !== null) write(() => store.fingerprint(id, loaded.fingerprint))
      else {
        isReader = true
        cache.beginReading(plan)
      }
      return { plan, loaded, stop }
    },
    onMessage: onMessage,
    onFault(fault) {
      if (why !== undefined) {
        endStopped()
        return
      }
      onFault(fault)
      end(() => store.end(id, 'failed', FAULT))
    },
  }
  pool.add(run)

  return {
    get progress() {
      return progress
    },
    ended,
    stop(reason) {
      why ??= reason
      Atomics.store(stop, 0, 1)
      if (pool.remove(run)) endStopped()
      else deadline ??= setTimeout(() => pool.terminate(run), TERMINATE_AFTER_MS)
    },
  }
}

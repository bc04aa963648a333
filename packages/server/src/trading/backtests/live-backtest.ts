import type { BacktestsStore } from '#storage/admin/backtests-store.ts'
import type { BacktestPlan } from './plan.ts'
import type { PlanEnding, PlanRun, PlanRunOptions } from './plan-run.ts'

/** A run that is queued or under way. */
export interface LiveBacktest {
  readonly progress: number
  /** Resolves when the outcome is stored. Never rejects. */
  readonly ended: Promise<void>
  stop(why: StopReason): void
}

export type StopReason = 'cancelled' | 'interrupted'

export interface LiveBacktestOptions {
  store: BacktestsStore
  run(plan: BacktestPlan, options: PlanRunOptions): PlanRun
  onFault: (fault: unknown) => void
}

const STOPPED: Record<StopReason, string> = {
  cancelled: 'Cancelled.',
  interrupted: 'The server was shut down before this run had ended.',
}
export const RUN_FAULT = 'Something went wrong inside the server. See logs/server.log in the data folder.'

/** Hands a run to the pool and keeps its record up to date. */
export function createLiveBacktest(
  id: number,
  plan: BacktestPlan,
  options: LiveBacktestOptions,
): LiveBacktest {
  const { store, onFault } = options
  let progress = 0
  let why: StopReason | undefined
  /** Writes of one record follow one another. */
  let written = Promise.resolve()

  function write(work: () => Promise<void>): void {
    written = written.then(work).catch(onFault)
  }

  function end(ending: PlanEnding): Promise<void> {
    if (ending.kind === 'completed' && 'result' in ending) {
      const { result, summary, hash } = ending
      return store.complete(id, { result, summary, hash })
    }
    if (ending.kind === 'refused') return store.end(id, 'failed', ending.sentence)
    // A thread that had to be terminated to stop ends with a fault.
    const reason = ending.kind === 'stopped' ? (why ?? 'interrupted') : why
    if (reason !== undefined) return store.end(id, reason, STOPPED[reason])
    onFault('fault' in ending ? ending.fault : ending)
    return store.end(id, 'failed', RUN_FAULT)
  }

  const run = options.run(plan, {
    onBegun: () => write(() => store.begin(id)),
    onLoaded: ({ fingerprint }) => write(() => store.fingerprint(id, fingerprint)),
    onProgress: (share) => {
      progress = share
    },
  })
  const ended = run.ended.then((ending) => {
    write(() => end(ending))
    return written
  })

  return {
    get progress() {
      return progress
    },
    ended,
    stop(reason) {
      why ??= reason
      run.stop()
    },
  }
}

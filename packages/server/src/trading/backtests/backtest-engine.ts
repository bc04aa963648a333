import type { NewBacktest } from '@binnacle/contract'
import type { Instruments, StrategyKind } from '@binnacle/engine'
import type { Refused } from '#http/problems.ts'
import type { BacktestPlan } from './plan.ts'
import type { BarReading, PlanEnding, PlanRun, PlanRunOptions } from './plan-run.ts'
import type { LoadedBars } from './shared-bars.ts'

/** An engine other than the embedded one. It runs backtests in processes of its own. */
export interface BacktestEngine {
  readonly instruments: Instruments
  /** The strategies that it can run. */
  readonly kinds: readonly StrategyKind[]
  /** Its name and version, for the record of a run. */
  readonly version: string
  /** Returns why it cannot run a request; null if it can. */
  checkRequest(request: NewBacktest): Refused | null
  /** Runs a plan over its bars as soon as a process is free. */
  run(plan: BacktestPlan, loaded: LoadedBars, options: EngineRunOptions): PlanRun
}

export type EngineRunOptions = Pick<PlanRunOptions, 'onBegun' | 'onProgress'>

/** Runs a plan in the engine; the server reads the bars. */
export function runOnEngine(
  plan: BacktestPlan,
  { engine, read }: { engine: BacktestEngine; read: (plan: BacktestPlan) => BarReading },
  { onLoaded, ...options }: PlanRunOptions = {},
): PlanRun {
  let isStopped = false
  const reading = read(plan)
  let current: { stop(): void } = reading

  async function run(): Promise<PlanEnding> {
    const loaded = await reading.loaded
    if ('kind' in loaded) return loaded
    if (isStopped) return { kind: 'stopped' }
    onLoaded?.(loaded)
    const running = engine.run(plan, loaded, options)
    current = running
    return running.ended
  }

  return {
    ended: run().catch((fault): PlanEnding => ({ kind: 'fault', fault })),
    stop() {
      isStopped = true
      current.stop()
    },
  }
}

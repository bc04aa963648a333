import { randomUUID } from 'node:crypto'
import { readModules } from '@binnacle/sandbox'
import type { BacktestPlan } from '#trading/backtests/plan.ts'
import type { BarReading, PlanEnding, PlanRun, PlanRunOptions } from '#trading/backtests/plan-run.ts'
import type { LoadedBars } from '#trading/backtests/shared-bars.ts'
import type { RemoteTask } from './remote-task.ts'
import type { WorkQueue } from './work-queue.ts'

export interface RemoteRunOptions {
  queue: WorkQueue
  /** Runs a plan on a thread of this server. */
  runHere(plan: BacktestPlan, options: PlanRunOptions): PlanRun
  read(plan: BacktestPlan): BarReading
  strategiesFolder: string
}

/** Each time because of other bars in Redis, a forged result, a stopped worker or an excluded one. */
const MAX_SENDS = 20

/** BT-46: runs a plan on a worker. The server reads the bars and checks samples of the results. */
export function runRemotely(
  plan: BacktestPlan,
  { queue, runHere, read, strategiesFolder }: RemoteRunOptions,
  { work, onBegun, onLoaded, onProgress }: PlanRunOptions,
): PlanRun {
  let isStopped = false
  let current: { stop(): void } | undefined
  const stopped: PlanEnding = { kind: 'stopped' }

  async function run(): Promise<PlanEnding> {
    const reading = read(plan)
    current = reading
    const loaded = await reading.loaded
    if ('kind' in loaded) return loaded
    onLoaded?.(loaded)
    for (let sends = 0; sends < MAX_SENDS; sends++) {
      if (isStopped) return stopped
      await queue.publish(loaded)
      if (isStopped) return stopped
      const sent = queue.send(taskOf(loaded), {
        isLowPriority: work === 'figures',
        onBegun: () => onBegun?.(),
        onProgress: (progress) => onProgress?.(progress),
      })
      current = sent
      const result = await sent.result
      if (result === undefined) return stopped
      if (result === 'forged') continue
      const ending = await queue.trust.judge(result, recompute)
      if (ending !== null) return ending
    }
    throw new Error(`A run was sent ${MAX_SENDS} times without a result`)
  }

  function taskOf({ fingerprint }: LoadedBars): RemoteTask {
    const { dataSet, ...rest } = plan
    return {
      id: randomUUID(),
      // The folder is one of this machine.
      plan: dataSet === undefined ? rest : { ...rest, dataSet: { ...dataSet, folder: '' } },
      fingerprint,
      ...(work === 'figures' && { work }),
      ...(plan.request.strategy.type === 'custom' && { modules: readModules(strategiesFolder) }),
    }
  }

  function recompute(): Promise<PlanEnding> {
    const own = runHere(plan, work === undefined ? {} : { work })
    current = own
    return own.ended
  }

  return {
    ended: run().catch((fault): PlanEnding => ({ kind: 'fault', fault })),
    stop() {
      isStopped = true
      current?.stop()
    },
  }
}

import { backtestWorkers } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import type { WorkQueue } from '#trading/backtests/remote/work-queue.ts'

/** BT-52 */
export function addBacktestWorkerRoutes(
  app: FastifyInstance,
  queue: Pick<WorkQueue, 'state'> | undefined,
): void {
  mount(app, backtestWorkers.list, async () => {
    if (queue === undefined) return { queue: 'off' as const, waiting: 0, workers: [] }
    const { isReachable, waiting, workers } = await queue.state()
    return {
      queue: isReachable ? ('connected' as const) : ('unreachable' as const),
      waiting,
      workers: workers.map(({ key: _key, ttl_s: _ttl, ...worker }) => worker),
    }
  })
}

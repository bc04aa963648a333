import { sweeps } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { Refused } from '#http/problems.ts'
import { type Backtests, unknownBacktest } from '#trading/backtests/backtests.ts'
import { unknownSweep } from '#trading/backtests/sweeps.ts'
import type { CheckNewRun } from './backtests.routes.ts'
import { isRunNumber } from './backtests.wire.ts'
import { lookAheadToWire, sweepToSummary, sweepToWire } from './sweeps.wire.ts'

export function addSweepRoutes(
  app: FastifyInstance,
  runs: Backtests,
  checkNewRun: CheckNewRun = () => undefined,
): void {
  mount(
    app,
    sweeps.start,
    onceByKey(runs, sweeps.start, async ({ body }, { audit }) => {
      const row = checkNewRun() ?? (await runs.sweeps.start(audit, body))
      return row instanceof Refused ? row : sweepToSummary(row)
    }),
  )

  mount(app, sweeps.list, async () => ({ sweeps: (await runs.sweeps.list()).map(sweepToSummary) }))

  mount(app, sweeps.get, async ({ params: { id } }) => {
    const found = isRunNumber(id) ? await runs.sweeps.find(Number(id)) : undefined
    return found === undefined ? unknownSweep(id) : sweepToWire(found.row, found.results)
  })

  mount(app, sweeps.cancel, async ({ params: { id } }, { audit }) => {
    const row = isRunNumber(id) ? await runs.sweeps.cancel(audit, Number(id)) : unknownSweep(id)
    return row instanceof Refused ? row : sweepToSummary(row)
  })

  mount(app, sweeps.lookAhead, async ({ params: { id } }, { signal }) => {
    const report = isRunNumber(id) ? await runs.checkLookAhead(Number(id), signal) : unknownBacktest(id)
    return report instanceof Refused ? report : lookAheadToWire(report)
  })
}

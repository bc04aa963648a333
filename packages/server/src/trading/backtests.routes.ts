import { backtests } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { Refused } from '#http/problems.ts'
import { type Backtests, type BacktestView, unknownBacktest } from '#trading/backtests/backtests.ts'
import { backtestToWire, isRunNumber, periodToWire, summaryToWire } from './backtests.wire.ts'

/** Returns why no run can be started now. */
export type CheckNewRun = () => Refused | undefined

export function addBacktestRoutes(
  app: FastifyInstance,
  runs: Backtests,
  checkNewRun: CheckNewRun = () => undefined,
): void {
  // BT-30: a run ends with the process, and so do the keys.
  mount(
    app,
    backtests.start,
    onceByKey(runs, backtests.start, async ({ body }, { audit }) =>
      reply(checkNewRun() ?? (await runs.start(audit, body))),
    ),
  )

  mount(app, backtests.get, async ({ params }) => {
    const found = isRunNumber(params.id) ? await runs.find(Number(params.id)) : undefined
    return found === undefined ? unknownBacktest(params.id) : backtestToWire(found, found.result)
  })

  mount(app, backtests.list, async ({ query }) => ({
    backtests: (
      await runs.list(query.limit, { status: query.status, isArchived: query.archived === 'true' })
    ).map(summaryToWire),
  }))

  mount(app, backtests.recorded, async () => ({ recorded: (await runs.recorded()).map(periodToWire) }))

  mount(app, backtests.label, async ({ params, body }, { audit }) => {
    if (!isRunNumber(params.id)) return unknownBacktest(params.id)
    const id = Number(params.id)
    const refusal = await runs.label(audit, id, body)
    const found = refusal ?? (await runs.find(id)) ?? unknownBacktest(id)
    return found instanceof Refused ? found : backtestToWire(found, found.result)
  })

  mount(app, backtests.cancel, async ({ params }, { audit }) =>
    isRunNumber(params.id) ? reply(await runs.cancel(audit, Number(params.id))) : unknownBacktest(params.id),
  )

  mount(
    app,
    backtests.rerun,
    onceByKey(runs, backtests.rerun, async ({ params }, { audit }) =>
      isRunNumber(params.id)
        ? reply(checkNewRun() ?? (await runs.rerun(audit, Number(params.id))))
        : unknownBacktest(params.id),
    ),
  )
}

function reply(answer: BacktestView | Refused) {
  return answer instanceof Refused ? answer : backtestToWire(answer, null)
}

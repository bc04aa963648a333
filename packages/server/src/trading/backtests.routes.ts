import { backtests } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { Refused } from '#http/problems.ts'
import { type Backtests, type BacktestView, unknownBacktest } from '#trading/backtests/backtests.ts'
import { backtestToWire, periodToWire, summaryToWire } from './backtests.wire.ts'

export function addBacktestRoutes(app: FastifyInstance, runs: Backtests): void {
  // BT-30: a run ends with the process, and so do the keys.
  mount(
    app,
    backtests.start,
    onceByKey<typeof backtests.start>(async ({ body }, { audit }) => reply(await runs.start(audit, body))),
  )

  mount(app, backtests.get, async ({ params }) => {
    const found = isNumber(params.id) ? await runs.find(Number(params.id)) : undefined
    return found === undefined ? unknownBacktest(params.id) : backtestToWire(found, found.result)
  })

  mount(app, backtests.list, async ({ query }) => ({
    backtests: (await runs.list(query.limit, query.status)).map(summaryToWire),
  }))

  mount(app, backtests.recorded, async () => ({ recorded: (await runs.recorded()).map(periodToWire) }))

  mount(app, backtests.cancel, async ({ params }, { audit }) =>
    isNumber(params.id) ? reply(await runs.cancel(audit, Number(params.id))) : unknownBacktest(params.id),
  )

  mount(
    app,
    backtests.rerun,
    onceByKey<typeof backtests.rerun>(async ({ params }, { audit }) =>
      isNumber(params.id) ? reply(await runs.rerun(audit, Number(params.id))) : unknownBacktest(params.id),
    ),
  )
}

function reply(answer: BacktestView | Refused) {
  return answer instanceof Refused ? answer : backtestToWire(answer, null)
}

function isNumber(id: string): boolean {
  return /^[1-9]\d{0,14}$/.test(id)
}

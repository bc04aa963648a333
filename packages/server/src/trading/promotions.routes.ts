import { backtests, STRATEGY_TYPES } from '@binnacle/contract'
import type { Desk } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { type Backtests, unknownBacktest } from '#trading/backtests/backtests.ts'
import { backtestToWire, isRunNumber, promotionToWire } from './backtests.wire.ts'
import { addStrategyFromWire, strategyToWire } from './strategies.wire.ts'
import { submitCommand } from './submit-command.ts'

export interface PromotionRouteOptions {
  desk: Desk
  runs: Backtests
  /** As of any other new strategy. */
  minNumber: number
}

/** BT-33 */
export function addPromotionRoutes(
  app: FastifyInstance,
  { desk, runs, minNumber }: PromotionRouteOptions,
): void {
  mount(app, backtests.promote, async ({ params, body: { name } }, { audit, idempotencyKey }) => {
    const found = isRunNumber(params.id) ? await runs.find(Number(params.id)) : undefined
    if (found === undefined) return unknownBacktest(params.id)
    const { request, result } = backtestToWire(found, found.result)
    const type = STRATEGY_TYPES.find((known) => known === request.strategy.type)
    if (result == null || type === undefined) return notCompleted(found.row.id)
    const description = `Promoted from BT-${found.row.id}, result ${result.hash.slice(0, 8)}`
    const strategy = { name, type, description, config: request.strategy.config }
    const answer = await submitCommand(desk, addStrategyFromWire(strategy, idempotencyKey, minNumber), audit)
    if (answer instanceof Refused) return answer
    const view = answer.strategy && desk.views.strategy(answer.strategy)
    if (!view) return new Refused('thing.unknown', 'The strategy that this key added was deleted since.')
    // A repeat with the same key also adds what a server that stopped here has left out.
    await runs.promote(audit, { row: found.row, result }, view.id)
    return strategyToWire(view)
  })

  mount(app, backtests.promotions, async () => ({
    promotions: (await runs.promotions()).map(promotionToWire),
  }))
}

function notCompleted(id: number): Refused {
  return new Refused('thing.unknown', `Backtest ${id} has no result. Only a completed run can be promoted.`)
}
